/** Limits on stored secrets, and on AWS KMS, which the service calls only while it starts. */

/** One attempt of a call, with its connection: KMS responds within a second. */
export const KMS_ATTEMPT_TIMEOUT_MS = 5_000
/** All attempts of a call: an operator waits for the start. */
export const KMS_CALL_TIMEOUT_MS = 15_000
/** Attempts of a call, as the vendor's SDK makes them. */
export const KMS_ATTEMPTS_MAX = 3
/** Values that do not open, which a process logs once each; of more, it logs the oldest again. */
export const UNREADABLE_VALUES_REMEMBERED_MAX = 1_000
