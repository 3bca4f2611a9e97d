/** Limits on positions and the rates that value them. */

/** Yield of positions without transactions is posted at most this often, by the chain's clock. */
export const ACCRUE_INTERVAL_MS = 3_600_000
/** Positions per transaction: few enough to hold their wallets' locks briefly, enough to be quick. */
export const ACCRUE_BATCH = 200
/** Rates are read for every block; on chains with several blocks a second, this often, by the chain's clock. */
export const RATES_INTERVAL_MS = 10_000
