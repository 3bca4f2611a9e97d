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
/**
 * Guesses for one account from all addresses that it was never used from: fifty a day, then one after a pause that
 * doubles from 15 seconds to 5 minutes. That allows fewer than 350 guesses a day, however many addresses take part, and
 * its owner waits five minutes at most.
 */
export const LOGIN_ACCOUNT_FAILURES_MAX = 50
export const LOGIN_ACCOUNT_WINDOW_MS = 86_400_000
export const LOGIN_ACCOUNT_PAUSE_MIN_MS = 15_000
export const LOGIN_ACCOUNT_PAUSE_MAX_MS = 300_000
/** How long an address stays known after a login from it; longer than any usual absence. */
export const LOGIN_ADDRESS_LIFETIME_MS = 180 * 86_400_000
/** Old rows that each new failure deletes; more than one, so that the table shrinks after a wave. */
export const LOGIN_ATTEMPTS_SWEEP_BATCH = 10

/** Contract 3: the lifetime of an access token. How long a session lasts is a setting. */
export const ACCESS_TOKEN_SECONDS = 3_600
/** Enough of a user agent to identify browser and device. */
export const USER_AGENT_LENGTH_MAX = 200

/** A password that another member set opens its first session within a week, or not at all. */
export const ASSIGNED_PASSWORD_LIFETIME_MS = 7 * 86_400_000
/** After another person set their password, a member approves nothing for a day: time for others to notice. */
export const APPROVAL_PAUSE_MS = 86_400_000
/** A password printed on the host replaces a lost one at once. */
export const RECOVERY_PASSWORD_LIFETIME_MS = 3_600_000
/** Far above any token of this service; longer text is not worth a signature check. */
export const BEARER_TOKEN_LENGTH_MAX = 2_048

/** A challenge for a second factor: long enough to fetch a phone, short enough to be worth little when stolen. */
export const FACTOR_CHALLENGE_LIFETIME_MS = 300_000
/** Expired challenges that each new one deletes; more than one, so that the table shrinks after a wave. */
export const FACTOR_CHALLENGES_SWEEP_BATCH = 10
/** Open challenges of one user; the oldest makes room. */
export const FACTOR_CHALLENGES_PER_USER_MAX = 20
/** A session that began just now proves its user like a password, for users who have none. */
export const FRESH_SESSION_LIFETIME_MS = 300_000
/** RFC 6238: codes of the step before and after the current one count, for clocks that differ. */
export const TOTP_STEPS_WINDOW = 1
/** Time to install an authenticator app and to enter its first code. */
export const TOTP_ENROLLMENT_LIFETIME_MS = 900_000
/** More passkeys than a person has devices. */
export const PASSKEYS_PER_USER_MAX = 10
/** A field of a passkey's response, in base64url; the longest has keys and signatures of post-quantum algorithms. */
export const PASSKEY_FIELD_LENGTH_MAX = 16_384
/** Recovery codes that a user gets at once, for as many lost devices. */
export const RECOVERY_CODES_BATCH = 10

/** Networks on a key's allow-list: each is compared on every request with the key. */
export const API_KEY_ALLOWED_ADDRESSES_MAX = 50
/** How long a rotated key still works: a day to install the new one, a month at most. */
export const API_KEY_OVERLAP_SECONDS = 86_400
export const API_KEY_OVERLAP_SECONDS_MAX = 30 * 86_400
/** Secrets of a service account that work at once: the current one, and the one before it while programs switch over. */
export const SERVICE_ACCOUNT_SECRETS_MAX = 2

/** How far a key's `lastUsedAt` may lag: one write per second and process, however many requests come. */
export const KEY_USAGE_FLUSH_MS = 1_000
/** Entries of the audit log are read in pages, so that a log of any length needs little memory. */
export const AUDIT_VERIFICATION_BATCH = 1_000
/** Entries that get their place in a chain in one transaction: it holds the head, for which requests on core wait. */
export const AUDIT_CHAINING_BATCH = 500
/** How often waiting entries are chained. */
export const AUDIT_CHAINING_SECONDS = 1
/** How often anchors are due or sent again. */
export const AUDIT_ANCHOR_CHECK_SECONDS = 30
/** Heads in one anchor, about 1 MB; a webhook's receiver must take it. */
export const AUDIT_ANCHOR_HEADS_MAX = 10_000
/** A time stamp authority that takes longer is unavailable; its token with certificates has some kilobytes. */
export const TIMESTAMP_TIMEOUT_MS = 10_000
export const TIMESTAMP_RESPONSE_BYTES_MAX = 262_144

/** Rows whose personal data one transaction of an erasure destroys. */
export const ERASURE_ROWS_BATCH = 2_000
/** How often requested erasures continue. */
export const ERASURE_CHECK_SECONDS = 5

/** A password that an attacker finds within 10^8 guesses is refused where strength is enforced. */
export const PASSWORD_GUESSES_LOG10_MIN = 8
/** Characters of a password that its strength is judged by: the time grows faster than the length. */
export const PASSWORD_JUDGED_LENGTH = 32
/** A service that lists breached passwords has this long, and returns at most this much. */
export const BREACHED_PASSWORDS_TIMEOUT_MS = 3_000
export const BREACHED_PASSWORDS_BYTES_MAX = 262_144
/** How often the use of a browser's session is recorded: a write for each request would be too many. */
export const SESSION_USE_RECORDED_MS = 5 * 60_000
/** How long the cookie before the current one still counts: requests of other tabs may be on their way with it. */
export const REPLACED_COOKIE_LIFETIME_MS = 30_000

/** Errors of keys are written in batches, at most this long after they happened. */
export const KEY_ERROR_FLUSH_MS = 1_000
/** Kinds of errors in one batch of a process: a key that fails in every way cannot fill more. */
export const KEY_ERROR_GROUPS_MAX = 500
/** How long a kind of error is kept after its latest request. */
export const KEY_ERRORS_RETENTION_MS = 30 * 86_400_000
/** What an example of a failed request may hold, in characters of JSON. */
export const KEY_ERROR_SENT_MAX = 2_000
/** How deep such an example is shown, and how many fields and items of each object and list. */
export const KEY_ERROR_DEPTH_MAX = 4
export const KEY_ERROR_FIELDS_MAX = 30
export const KEY_ERROR_ITEMS_MAX = 5

/** Requests of keys are written in batches, at most this long after their responses. */
export const KEY_REQUESTS_FLUSH_MS = 1_000
/** The latest requests that are kept of each key and service account: what a person reads, whatever a program sends. */
export const KEY_REQUESTS_MAX = 200
/** Requests in one batch of a process, so that a database that is away costs some megabytes. */
export const KEY_REQUESTS_BATCH_MAX = 5_000
/** How long they are kept: what is older is in the audit log or in the log of the service. */
export const KEY_REQUESTS_RETENTION_MS = 7 * 86_400_000
