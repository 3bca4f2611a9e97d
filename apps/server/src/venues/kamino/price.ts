import { mulDivDown, mulDivUp } from '../../kernel/index.ts'
import { PRICE_SCALE } from '../svm/price.ts'
import type { Reserve } from './reserve.ts'

/**
 * Conversions between the shares and tokens of a reserve, rounded as the program does, always in its own favor. All
 * results are as of the reserve's last refresh. Amounts in base units.
 */

/** One, in units of 2⁻⁶⁰. */
export const ONE_SF = 1n << 60n

type Backing = Pick<
  Reserve,
  'available' | 'borrowedSf' | 'protocolFeesSf' | 'referrerFeesSf' | 'pendingReferrerFeesSf' | 'shares'
>

/** The depositors' total in units of 2⁻⁶⁰: available and lent, without fees. */
export function depositedSf(reserve: Backing): bigint {
  const fees = reserve.protocolFeesSf + reserve.referrerFeesSf + reserve.pendingReferrerFeesSf
  return reserve.available * ONE_SF + reserve.borrowedSf - fees
}

/** In the scale of svm/price.ts. */
export function priceOf(reserve: Backing): bigint {
  return redeemableAssets(reserve, PRICE_SCALE)
}

/** What this many shares redeem for. */
export function redeemableAssets(reserve: Backing, shares: bigint): bigint {
  const { assetsSf, supply } = exchange(reserve)
  return mulDivDown(shares, assetsSf, supply * ONE_SF)
}

/** The shares that a deposit mints. */
export function mintedShares(reserve: Backing, amount: bigint): bigint {
  const { assetsSf, supply } = exchange(reserve)
  return mulDivDown(amount, supply * ONE_SF, assetsSf)
}

/** What a deposit really takes: the minimum that pays for its shares, which may be less than was offered. */
export function acceptedAmount(reserve: Backing, amount: bigint): bigint {
  const { assetsSf, supply } = exchange(reserve)
  return mulDivUp(mintedShares(reserve, amount), assetsSf, supply * ONE_SF)
}

/** The fewest shares that redeem for at least this amount. */
export function sharesFor(reserve: Backing, amount: bigint): bigint {
  const { assetsSf, supply } = exchange(reserve)
  return mulDivUp(amount, supply * ONE_SF, assetsSf)
}

/** A reserve without shares or assets exchanges one for one. */
function exchange(reserve: Backing): { assetsSf: bigint; supply: bigint } {
  const assetsSf = depositedSf(reserve)
  return reserve.shares === 0n || assetsSf === 0n
    ? { assetsSf: ONE_SF, supply: 1n }
    : { assetsSf, supply: reserve.shares }
}
