/** Limits on the evaluation of operational wallets. */

/** How often due wallets are looked up: the longest wait after a changed buffer or balance. One small read each. */
export const REBALANCE_POLL_SECONDS = 0.5
/** A claim of a dead process lapses after this long. */
export const EVALUATION_CLAIM_MS = 60_000
/** Operational wallets per page. Bounds memory; one batched request per chain reads the whole page. */
export const DUE_WALLETS_BATCH = 100
/** Moves planned concurrently. */
export const EVALUATIONS_CONCURRENCY_MAX = 8
/** Rows that one statement screens for drift. Bounds memory and locks however many wallets there are. */
export const DRIFTED_WALLETS_BATCH = 5_000

/** How long a rejected move is not planned again, unless something changes that the decision may have rested on. */
export const REBALANCE_AFTER_REJECTION_MS = 24 * 3_600_000
/** Pause after a failure: doubled with each consecutive one, up to the maximum (contract 10). */
export const REBALANCE_BACKOFF_MS = { first: 30_000, max: 3_600_000 } as const
/** Pause while positions cannot pay what a buffer lacks. Shorter: liquidity that returns is gone soon. */
export const REBALANCE_ILLIQUIDITY_MS = { first: 15_000, max: 300_000 } as const
/** Past moves that are read, deployments and withdrawals together. After 8 failures the pause is at its longest. */
export const PAST_MOVES_MAX = 16
