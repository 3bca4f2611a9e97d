import { mulDivDown } from '../../kernel/index.ts'

/**
 * A vault's price is what it says 10^30 shares are worth: `convertToAssets(10^30)`.
 *
 * Vaults answer in whole base units, so the more shares are asked about, the finer the price. 10^30 is a million
 * million tokens where shares have 18 decimals: any real position is worth less, and loses less than one base unit by
 * the price's own rounding. It is also as many as vaults can take: some keep shares in 112 bits (5.1 × 10^33), and
 * those that multiply without 512-bit care have room for 10^47 base units of assets beside it.
 */
export const PRICE_SCALE = 10n ** 30n

/**
 * What shares redeem for, in base units of the token, rounded down as `redeem` does. Never more than the vault pays,
 * and at most one base unit less.
 */
export function sharesToAssets(shares: bigint, price: bigint): bigint {
  return mulDivDown(shares, price, PRICE_SCALE)
}
