/** Limits on the evaluation of operational wallets. */

/** How often due wallets are looked up: the longest wait after a changed buffer or balance. One small read each. */
export const REBALANCE_POLL_SECONDS = 0.5
/** The claims of a process that died or froze lapse after this long: others then evaluate its wallets. */
export const EVALUATION_CLAIM_MS = 15_000
/** How often a process renews its claims while it evaluates: two may come late. Most pages take less, and cost none. */
export const EVALUATION_CLAIM_RENEWAL_MS = 5_000
/** How long claims are renewed while no evaluation of the page ends: then this process may wait forever, and others try. */
export const EVALUATION_HUNG_MS = 60_000
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
/**
 * How long an aborted move keeps its place in the turns of strategies when no other move fails after it. Longer than any
 * pause: otherwise its turn would return as soon as it may be tried again, before those that wait for theirs.
 */
export const REBALANCE_TURN_KEPT_MS = 2 * REBALANCE_BACKOFF_MS.max
/**
 * How long a withdrawal that was refused bounds the next ones to half of its amount. A day while its strategy pays nothing:
 * retries come once an hour, and what was refused last week says little. An hour once it paid less.
 */
export const REFUSED_AMOUNT_KEPT_MS = { unpaid: 24 * 3_600_000, paid: 3_600_000 } as const
/** Pause while positions cannot pay what a buffer lacks. Shorter, because liquidity that returns is soon gone again. */
export const REBALANCE_ILLIQUIDITY_MS = { first: 15_000, max: 300_000 } as const
/** How long an allowance of an ended supply waits for a next deposit that uses it up, before Weir revokes it. */
export const LEFT_ALLOWANCE_GRACE_MS = 600_000
/** Past moves that are looked at: enough that eight strategies that refuse are all tried once an hour only. */
export const PAST_MOVES_MAX = 64
/** Of these, how many of one strategy and kind are read. After 8 failures the pause is at its longest. */
export const PAST_MOVES_OF_STRATEGY_MAX = 8
/**
 * How much later than its time the end of a deposit may commit, clocks that differ between processes included. Sums of
 * holdings leave out what completed within it, and what uses them adds it again.
 */
export const LATE_COMPLETIONS_MS = 300_000
/** Older sums are read again before a deposit is checked on them. */
export const SUMS_AGE_MAX_MS = 120_000
/**
 * By how much of its own amount a deployment that waits may exceed a limit that nobody changed since, in hundredths of a
 * percent: what moved meanwhile would only make it a little smaller.
 */
export const LIMIT_DRIFT_BPS = 500n
/** Sums of so many positions serve for so many times as long as they took to read, and at most so long. */
export const KEPT_SUMS = { positions: 100_000, times: 10, maxMs: 60_000 } as const

/**
 * A withdrawal or claim of less than one part in so many gives way to what moves the whole. Who sends a wallet crumbs to
 * delay a refill gives it a hundredth of that refill each time.
 */
export const CRUMB_PARTS = 100n

/** How often prices of tokens and the code of contracts are read. One HTTP call each. */
export const RISK_FACTS_INTERVAL_MS = 15_000
/** How often circuit breakers are evaluated; the rebalancer evaluates them before each page of wallets as well. */
export const BREAKERS_POLL_SECONDS = 2
/** Organizations per page. Bounds memory: a page has one row per organization and strategy. */
export const BREAKERS_BATCH = 100
/** The most that the column of a breaker's measure holds. */
export const BREAKER_MEASURE_MAX = 2n ** 31n - 1n
/** Older readings close no breaker. */
export const BREAKER_FACTS_AGE_MAX_MS = 3_600_000
/** An older price of a feed counts as unknown: Chainlink updates stablecoins at least once a day, sometimes late. */
export const FEED_AGE_MAX_MS = 26 * 3_600_000
/** How long a fact must be fine before its breaker closes. A day, so that people see first what fell overnight. */
export const BREAKER_RECOVERY_SECONDS = { minimum: 60, maximum: 2_592_000, default: 86_400 } as const

/** How often the gas of a page of operational wallets is measured. One statement, and a batched read for each chain. */
export const GAS_POLL_SECONDS = 60
/** Operational wallets per page: five HTTP requests a minute at most; 100,000 wallets take three and a half hours. */
export const GAS_WALLETS_BATCH = 500
/** A wallet whose gas pays for fewer transactions is logged once, until it pays for twice as many. */
export const GAS_RUNWAY_LOG_LIMIT = 10

/** What a share of a pool leaves for a position is used only if it is at least this part of the position: a twentieth. */
export const POOL_HEADROOM_PARTS = 20n
