/** Limits on positions and the rates that value them. */

/**
 * The yield of a position without movements is posted at the end of each day. One that was left out then is found this
 * long after its last posting, by the chain's clock, in a check that runs every hour.
 */
export const ACCRUE_OVERDUE_MS = 25 * 3_600_000
export const ACCRUE_CHECK_INTERVAL_MS = 3_600_000
/** How long a chain waits for the end of a day to be saved, when something other than its nodes prevents it. */
export const DAY_END_RETRIES_MS = 5 * 60_000
/** Positions per transaction: few enough to hold their wallets' locks briefly, enough to be quick. */
export const ACCRUE_BATCH = 200
/** Positions that are posted after a round at most: the next block waits for them, a second on a busy machine. */
export const ACCRUE_STEP = 1_000
/**
 * Positions that a sum over an organization reads at once. It takes some 20 ms of the processor, in which the process
 * responds to nobody else.
 */
export const POSITIONS_OF_A_SUM = 1_000
/** Rates are read for every block; on chains with several blocks a second, this often, by the chain's clock. */
export const RATES_INTERVAL_MS = 10_000

/** How often the open positions' withdrawable amounts are read, a page each time. */
export const WITHDRAWABLE_INTERVAL_MS = 15_000
/**
 * Positions per page: about a dozen contract calls of 200 reads each, in one HTTP call. `WITHDRAWAL_PROBES` finds what
 * contracts do not report.
 */
export const WITHDRAWABLE_BATCH = 500
/**
 * How long the shares of a planned withdrawal may earn before it lands, so that a market that holds little more can
 * still pay them. A day, because people approve it.
 */
export const WITHDRAWAL_LANDING_DAYS = 1
/** Open exits in one read of a chain. */
export const EXITS_BATCH = 500
/** How often the value of requested shares that wait is posted, by the chain's clock. */
export const EXIT_VALUE_INTERVAL_MS = 3_600_000

/**
 * Simulated withdrawals that find what a vault pays that reports 0, as every lending vault does in a crisis: one of the
 * largest position, then `points` in each of 1 + `rounds` HTTP calls. What is found is too low by 1% at most. Of each page
 * of positions `strategies` are tried, so a page costs 200 simulations in five HTTP calls at most.
 */
export const WITHDRAWAL_PROBES = { strategies: 8, points: 6, rounds: 3 } as const
/** An older finding is not planned by: then a simulation of the withdrawal itself decides. */
export const WITHDRAWABLE_AGE_MAX_MS = 3_600_000
/**
 * The same for the finding that a vault pays nothing, which keeps it from being asked. With many positions the next probe
 * is an hour away, while a simulation of the withdrawal costs one call and is repeated more and more rarely.
 */
export const NOTHING_WITHDRAWABLE_AGE_MAX_MS = 5 * 60_000

/**
 * Deposits in the simulation that finds what a vault takes that reports no limit, each half of the one before: with the
 * smallest of a token, 16 million. A vault takes up to 600,000 gas for each, and a block has 30 million.
 */
export const DEPOSIT_PROBES = 24

/**
 * What a vault may be short of and still take deposits, in hundredths of a percent: rounding leaves some base units, and a
 * deposit into more than this loses days of its yield at once.
 */
export const VAULT_SHORTFALL_MAX = 10n
/**
 * The part of a deposit that a vault may keep and still take deposits by Weir's own choice, in hundredths of a percent: at
 * 4% a year, nine days of yield. A vault that keeps more of a withdrawal is the last to fill a buffer.
 */
export const VAULT_FEE_MAX = 10n

/** Markets in the queue of a vault that are read to compute its liquidity. MetaMorpho has at most 30. */
export const WITHDRAW_QUEUE_MAX = 50

/** Entries of an operator's venue file: each is read on its chain at every start. */
export const VENUES_FILE_MAX = 200
/** How long entries wait whose chain was unavailable at the start; doubles with each try, up to the maximum. */
export const VENUES_FILE_RETRY_MS = { first: 5_000, max: 300_000 } as const
