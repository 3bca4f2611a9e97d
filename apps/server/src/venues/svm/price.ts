import { mulDivDown } from '../../kernel/index.ts'

/**
 * The price is the value of this many shares. Shares have at most 64 bits on Solana, so the price's own rounding costs
 * any position less than one base unit.
 */
export const PRICE_SCALE = 10n ** 30n

/** What shares redeem for, in base units of the token, rounded down as the programs do; at most one unit too low. */
export function sharesToAssets(shares: bigint, price: bigint): bigint {
  return mulDivDown(shares, price, PRICE_SCALE)
}
