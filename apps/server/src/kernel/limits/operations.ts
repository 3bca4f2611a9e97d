/** Limits on operations and their transactions. */

/** A profile's `operationTimeoutSeconds` (contract 3). */
export const OPERATION_TIMEOUT_SECONDS = { min: 30, default: 120, max: 3_600 } as const
/** No plan of Weir is larger when signed: Solana's limit is 1,232 bytes, and plans on EVM chains stay below 1 KB. */
export const SIGNED_TRANSACTION_BYTES_MAX = 131_072
/** How often to start over after a submission or settlement changed the operation between the reads and the lock. */
export const REBUILD_ATTEMPTS_MAX = 3
/** Operations shown with a position; the list of operations has the rest. */
export const POSITION_OPERATIONS_MAX = 100

/** EVM: a pending transaction that is in no block after this long fails with TIMEOUT (contract 8). */
export const EVM_INCLUSION_TIMEOUT_MS = 30 * 60_000
/** EVM: agents get a pending transaction that is in no block after this long again, with higher fees. */
export const REPLACE_AFTER_MS = 5 * 60_000
/** A replacement pays at most this multiple of what new bytes would pay now: if that does not help, fees are not why. */
export const REPLACEMENT_FEE_MULTIPLE_MAX = 4n
/** A pending transaction that responsive nodes have not known for this long is DROPPED (contract 8). */
export const DROPPED_AFTER_MS = 120_000
/**
 * Other jobs take over the sending of what a request left unacknowledged after this, though a slow node may still hold
 * it: the same bytes may be sent twice, and from then on no refusal undoes their submission.
 */
export const BROADCAST_REQUEST_TIMEOUT_MS = 5_000
/** Pending transactions are checked this often, by the service's clock. */
export const CHECK_PENDING_INTERVAL_MS = 3_000
/** Pending transactions that one batched call looks up, those unseen for longest first. */
export const PENDING_BATCH = 500
/** Stored bytes that one check sends at once. */
export const SENDS_AT_ONCE = 8
/** How long a check waits for its sends, by the process's own time: blocks wait meanwhile. */
export const SENDING_WAIT_MS = 5_000
/** Lost transactions that one such check fails, four statements each: blocks wait meanwhile. The next check has the others. */
export const LOST_BATCH = 20
/** Transactions that one run checks for an expired blockhash, the oldest first. */
export const BLOCKHASH_EXPIRY_BATCH = 200
/**
 * Solana: final blocks after the last that could include bytes, before they may count as dead. Nodes write the lists of
 * an address's transactions after the blocks, and a provider's lists lag separately; 40 blocks take 16 seconds.
 */
export const BLOCKHASH_MARGIN_BLOCKS = 40
/** Consecutive rounds in which a search for landed transactions may fail to continue before it begins again. */
export const SEARCH_FAILURES_MAX = 5
/** How far the clock of the service and that of a public chain may differ. */
export const CLOCK_SKEW_MAX_MS = 10 * 60_000

/** Wallets that one transaction settles at a block: their locks are held for one round of statements, under a second. */
export const SETTLEMENT_BATCH = 1_000
/** New wallets that are reconciled in one batch. */
export const RECONCILE_BATCH = 100
/** When settlement of a quarantined wallet is tried again; doubles with each failure, up to the maximum. */
export const QUARANTINE_RETRY_MS = { first: 30_000, max: 3_600_000 } as const
/** Quarantined wallets, and blocks that they missed, that one round of a follower retries: other wallets wait for it. */
export const QUARANTINE_RETRY_WALLETS = 50
export const QUARANTINE_RETRY_BLOCKS = 50

/** An operation that waits for approval is aborted after this long (contract 8): its money has other uses. */
export const APPROVAL_TIMEOUT_MS = 7 * 24 * 3_600_000
/** An operation that no agent has ever leased is aborted after this long (contract 8): nobody is there to sign. */
export const UNLEASED_TIMEOUT_MS = 24 * 3_600_000
/** Overdue operations, or rows of agent work, that one sweep processes; the next sweep takes the rest. */
export const OPERATIONS_SWEEP_BATCH = 200
