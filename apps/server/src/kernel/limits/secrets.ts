/** Limits on AWS KMS, which the service calls only while it starts. */

/** One attempt of a call, with its connection: KMS responds within a second. */
export const KMS_ATTEMPT_TIMEOUT_MS = 5_000
/** All attempts of a call: an operator waits for the start. */
export const KMS_CALL_TIMEOUT_MS = 15_000
/** Attempts of a call, as the vendor's SDK makes them. */
export const KMS_ATTEMPTS_MAX = 3
