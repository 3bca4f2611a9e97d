/** One USDC in base units. */
export const USDC = 1_000_000n
