/** Limits on payments between banks and chains, and on calls to banking partners. */

/** Maximum simulated amount; fees on it cannot overflow. */
export const RAMP_USD_MAX = 100_000_000
/** Rows in memory at once during an export. */
export const RAMP_EXPORT_BATCH = 500

/** The longest delay of a step of a simulated payment. One small read if nothing is due. */
export const SANDBOX_TRANSFERS_POLL_SECONDS = 0.2
/** Delay between the steps of a simulated payment; the default also where a deposit starts one. */
export const SANDBOX_STEP_DELAY_MS = { default: 1_500, max: 60_000 } as const
/** Simulated payments processed per round. */
export const SANDBOX_TRANSFERS_BATCH = 100
/** Delay before a payment that waits for a chain is checked again; longer if the chain was unavailable. */
export const SANDBOX_TRANSFER_RECHECK_MS = 150
export const SANDBOX_TRANSFER_UNAVAILABLE_RETRY_MS = 1_000
/** Delay before a failed step is retried: it may succeed later, such as a return that the sender rejected. */
export const SANDBOX_TRANSFER_REFUSED_RETRY_MS = 30_000
/** Older messages of the simulated partner are treated as replay attacks. */
export const SANDBOX_MESSAGE_AGE_MS_MAX = 5 * 60_000

/** One request to Bridge; a read is retried once. */
export const BRIDGE_REQUEST_TIMEOUT_MS = 10_000
/** Delay before a failed read is retried once; reads have no effect. */
export const BRIDGE_RETRY_DELAY_MS = 200
/** Per response. A full page of 100 entries has a few hundred thousand bytes. */
export const BRIDGE_RESPONSE_BYTES_MAX = 8 * 1024 * 1024
/** Entries per page: the most that Bridge returns. */
export const BRIDGE_PAGE_SIZE = 100
/** Pages of one list: 100,000 entries since the last round. A longer list is a fault of the partner. */
export const BRIDGE_PAGES_MAX = 1_000
/** A stored field of the partner: short enough for an index of PostgreSQL, longer than any link to a form. */
export const BRIDGE_TEXT_BYTES_MAX = 2_048
/** Ended off-ramp payments are checked for this long after they began: a bank returns one within days, with weekends. */
export const BRIDGE_DRAIN_LOOKBACK_MS = 10 * 86_400_000
/**
 * How often the list is read below the recent payouts, for those that are not over; and how often for those that it does
 * not show. Such a reading may take hundreds of requests, of the partner's limit.
 */
export const BRIDGE_OLD_DRAINS_INTERVAL_MS = 3_600_000
export const BRIDGE_MISSING_DRAINS_INTERVAL_MS = 86_400_000
/** How far the partner's clock may be from ours, where times of both are compared. */
export const BRIDGE_CLOCK_DIFFERENCE_MS_MAX = 3_600_000
/** Verifications checked per round, those checked longest ago first. */
export const BRIDGE_LINKS_BATCH = 100
/** Longer than all calls of one request take together; keeps other processes away in that time. */
export const BRIDGE_INTENT_LEASE_MS = 60_000
/** Bridge drops an idempotency key after 24 hours and rejects it afterwards. */
export const BRIDGE_KEY_LIFETIME_MS = 23 * 3_600_000
/** Older messages are treated as replay attacks. Bridge signs each retry with a new time. */
export const BRIDGE_MESSAGE_AGE_MS_MAX = 10 * 60_000
/** How long ignored events can be looked up. */
export const BRIDGE_IGNORED_EVENTS_RETENTION_MS = 90 * 86_400_000

/** Rows of earlier versions that are sealed in one transaction: locks stay short next to requests. */
export const SEAL_CLEAR_FIELDS_BATCH = 200
/** How often rows that older processes wrote in plain text are sealed. */
export const SEAL_CLEAR_FIELDS_SECONDS = 60
/**
 * Recipients and organizations that one run of the retention erases; the next run erases the next ones. Also the customers
 * that one transaction of an organization's erasure takes, with all their accounts and events.
 */
export const ERASURE_BATCH = 200
/** How often personal data is checked against its retention. */
export const ERASURE_SECONDS = 3_600

/** When a deposit that failed, or a block of such, is tried again; doubles with each failure, up to the maximum. */
export const DEPOSIT_RETRY_MS = { first: 30_000, max: 3_600_000 } as const
/** Deferred blocks that one round of a follower records again. */
export const DEFERRED_BLOCKS_BATCH = 10
/** Deposits that one round of a follower passes to the partner, in about half a second: blocks wait meanwhile. */
export const DEPOSITS_BATCH = 20

/** How often, and at what interval, a request checks whether another one created the recipient with its external id. */
export const EXTERNAL_ID_TRIES = 10
export const EXTERNAL_ID_RETRY_MS = 100
