/** Limits on mail, and on the tokens and invitations that it carries. */

/** A link that resets a password: long enough to find the email, short enough for a mailbox that others read later. */
export const PASSWORD_RESET_LIFETIME_MS = 3_600_000
/** A link that proves an address, and a registration that waits for it. */
export const EMAIL_VERIFICATION_LIFETIME_MS = 24 * 3_600_000
/** An invitation to join an organization: a week, so that it survives a holiday in between. */
export const MEMBER_INVITATION_LIFETIME_MS = 7 * 86_400_000
/** Ended invitations and spent tokens stay this long for questions about them, and no longer: they name addresses. */
export const ENDED_INVITATIONS_RETENTION_MS = 30 * 86_400_000
export const ENDED_TOKENS_RETENTION_MS = 86_400_000
/** Open invitations of one organization, and invitations that it sends in a day: nobody becomes a relay for spam. */
export const MEMBER_INVITATIONS_OPEN_MAX = 100
export const MEMBER_INVITATIONS_PER_DAY_MAX = 50

/**
 * Emails of one kind to one address that one organization or network causes: enough for somebody who asks again, too few
 * to flood a mailbox. Resets have it over all networks.
 */
export const MAILS_PER_ADDRESS_HOUR_MAX = 5
export const MAILS_PER_ADDRESS_DAY_MAX = 20
/** Those that all organizations and networks cause: a bound on a mailbox that none of them reaches alone. */
export const MAILS_OF_ALL_PER_ADDRESS_HOUR_MAX = 20
export const MAILS_OF_ALL_PER_ADDRESS_DAY_MAX = 60
/** Emails about waiting approvals to one address: enough for a busy treasury, no flood if somebody keeps planning. */
export const APPROVAL_MAILS_PER_ADDRESS_HOUR_MAX = 30
export const APPROVAL_MAILS_PER_ADDRESS_DAY_MAX = 100
/** Waiting operations, and change requests, that one round queues emails for. */
export const APPROVAL_MAILS_BATCH = 20
/** Requests about addresses that one round handles, and emails that it sends. */
export const ADDRESS_REQUESTS_BATCH = 50
/** How long a request waits for a process that has its key; after that its links have expired. */
export const ADDRESS_REQUEST_KEPT_MS = 3_600_000
export const MAILS_BATCH = 20
/** Emails sent at once: mail servers limit connections from one client, and a hanging one delays no others. */
export const MAILS_CONCURRENCY = 4
/** How often mail that is due is looked for. */
export const MAIL_POLL_SECONDS = 1
/** Delay after each failed attempt; after the last delay there are no further attempts. */
export const MAIL_RETRY_AFTER_MS = [
  10_000,
  60_000,
  5 * 60_000,
  15 * 60_000,
  3_600_000,
  4 * 3_600_000,
  12 * 3_600_000,
] as const satisfies readonly number[]
/** A notice that could not be sent for a day is old news. An email with a token ends with its token. */
export const NOTICE_LIFETIME_MS = 24 * 3_600_000
/** Sent and failed emails are counted for a day, and shown to nobody; they have no content. */
export const MAILS_RETENTION_MS = 2 * 86_400_000
/**
 * Time for each step with a mail server, and for one email in all: even a server that sends a byte a minute times out.
 */
export const SMTP_CONNECT_TIMEOUT_MS = 10_000
export const SMTP_GREETING_TIMEOUT_MS = 10_000
export const SMTP_SOCKET_TIMEOUT_MS = 20_000
export const SMTP_MAIL_TIMEOUT_MS = 60_000
/** Longest part of a user-chosen name that an email shows. */
export const MAIL_NAME_LENGTH_MAX = 60

/** Emails in the sandbox's mailbox, the newest ones. */
export const MAILBOX_MAILS_MAX = 500
