import { mulDivDown } from '../../kernel/index.ts'
import { PRICE_SCALE } from '../svm/price.ts'
import type { VaultState } from './state.ts'

export function priceOf({ assets, virtualAssets, shares, virtualShares }: VaultState): bigint {
  return mulDivDown(PRICE_SCALE, assets + virtualAssets, shares + virtualShares)
}

/** The fewest shares that redeem for this amount. */
export function sharesFor(amount: bigint, { assets, virtualAssets, shares, virtualShares }: VaultState): bigint {
  const all = assets + virtualAssets
  return (amount * (shares + virtualShares) + all - 1n) / all
}

/** The shares that a deposit mints, rounded down as the program does. */
export function mintedShares(amount: bigint, { assets, virtualAssets, shares, virtualShares }: VaultState): bigint {
  return mulDivDown(amount, shares + virtualShares, assets + virtualAssets)
}
