import { mulDivDown } from '../../kernel/index.ts'
import type { VaultState } from './state.ts'

/**
 * The price is the value of so many shares. A vault's shares have at most 64 bits, so that the price's own rounding
 * costs less than one base unit of any position.
 */
const PRICED_SHARES = 10n ** 30n

export function priceOf({ assets, virtualAssets, shares, virtualShares }: VaultState): bigint {
  return mulDivDown(PRICED_SHARES, assets + virtualAssets, shares + virtualShares)
}

/** What shares redeem for, in base units of the token, rounded down as the program does; at most one unit less. */
export function worth(shares: bigint, price: bigint): bigint {
  return mulDivDown(shares, price, PRICED_SHARES)
}

/** The fewest shares that redeem for this amount. */
export function sharesFor(amount: bigint, { assets, virtualAssets, shares, virtualShares }: VaultState): bigint {
  const all = assets + virtualAssets
  return (amount * (shares + virtualShares) + all - 1n) / all
}

/** Shares that a deposit brings, rounded down as the program does. */
export function sharesBought(amount: bigint, { assets, virtualAssets, shares, virtualShares }: VaultState): bigint {
  return mulDivDown(amount, shares + virtualShares, assets + virtualAssets)
}
