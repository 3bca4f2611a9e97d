/** Limits on accounts, credentials and sessions. */

/** RFC 5321: a path, and with it an address, is at most 254 characters. */
export const EMAIL_LENGTH_MAX = 254
/** Contract 3. */
export const PASSWORD_LENGTH_MIN = 12
/** Long enough for any passphrase, short enough that hashing it cannot overload the service. */
export const PASSWORD_LENGTH_MAX = 1_024

/** An invitation to register: a week, so that it survives a holiday in between. */
export const INVITATION_LIFETIME_MS = 7 * 86_400_000

/** After ten wrong passwords in fifteen minutes, an account refuses logins from that address (contract 3). */
export const LOGIN_FAILURES_MAX = 10
export const LOGIN_FAILURES_WINDOW_MS = 15 * 60_000
/** Old rows that each new failure deletes; more than one, so that the table shrinks after a wave. */
export const LOGIN_ATTEMPTS_SWEEP_BATCH = 10

/** Contract 3: token lifetimes. A refresh token outlives a long weekend, not a quarter. */
export const ACCESS_TOKEN_SECONDS = 3_600
export const REFRESH_TOKEN_SECONDS = 30 * 86_400
/** Far above any token of this service; longer text is not worth a signature check. */
export const BEARER_TOKEN_LENGTH_MAX = 2_048

/** Networks on a key's allow-list: each is compared on every request with the key. */
export const API_KEY_ALLOWED_ADDRESSES_MAX = 50
/** How long a rotated key still works: a day to install the new one, a month at most. */
export const API_KEY_OVERLAP_SECONDS = 86_400
export const API_KEY_OVERLAP_SECONDS_MAX = 30 * 86_400

/** How far a key's `lastUsedAt` may lag: one write per second and process, however many requests come. */
export const KEY_USAGE_FLUSH_MS = 1_000
/** Entries of the audit log are read in pages, so that a log of any length needs little memory. */
export const AUDIT_VERIFICATION_BATCH = 1_000
