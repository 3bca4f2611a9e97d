import { apyFromRate, maxAmount, minAmount, mulDivDown } from '../../kernel/index.ts'
import { PRICE_SCALE } from '../svm/price.ts'
import type { readLending, readPosition, readReserve } from './accounts.ts'

/** A market's accounts at one slot. */
export interface JupiterMarket {
  readonly lending: ReturnType<typeof readLending>
  readonly reserve: ReturnType<typeof readReserve>
  readonly position: ReturnType<typeof readPosition>
  /** Tokens in the vault that all who lend and borrow the token share. */
  readonly held: bigint
  /** How many shares there are. */
  readonly shares: bigint
}

const ONE = 10n ** 12n
/** The program counts growth in this unit. */
const GROWTH_ONE = 10n ** 14n
const BASIS_POINTS = 10_000n

/**
 * Price of a share, 1e12 = 1, as the program would compute it from the reserve's last update: never more than it pays.
 * Interest since that update, which every deposit, loan and repayment of the token writes, and rewards since the
 * market's own are not in it.
 */
export function tokenPriceOf({ lending, reserve }: Pick<JupiterMarket, 'lending' | 'reserve'>): bigint {
  const growth = maxAmount(reserve.supplyPrice - lending.liquidityPrice, 0n)
  const grown = mulDivDown(growth, GROWTH_ONE, lending.liquidityPrice)
  return lending.tokenPrice + mulDivDown(lending.tokenPrice, grown, GROWTH_ONE)
}

/** In the scale of svm/price.ts. */
export function priceOf(market: Pick<JupiterMarket, 'lending' | 'reserve'>): bigint {
  return tokenPriceOf(market) * (PRICE_SCALE / ONE)
}

/** What the withdrawal limit and the tokens that are there pay all depositors together; `now` in seconds. */
export function withdrawableFrom({ position, reserve, held }: JupiterMarket, now: bigint): bigint {
  const { supplied, limit, updatedAt, expandPercent, expandSeconds } = position
  const part = (supplied * expandPercent) / BASIS_POINTS
  const elapsed = maxAmount(now - updatedAt, 0n)
  const fallen = expandSeconds === 0n ? supplied - part : limit - (part * elapsed) / expandSeconds
  const floor = limit === 0n ? 0n : maxAmount(maxAmount(fallen, supplied - part), 0n)
  return minAmount(mulDivDown(maxAmount(supplied - floor, 0n), reserve.supplyPrice, ONE), held)
}

/** What borrowers pay for what is lent of the supply, after the fee; compounded. Rewards come on top. */
export function apyOf({ reserve }: Pick<JupiterMarket, 'reserve'>): number {
  const supplied = mulDivDown(reserve.supplied, reserve.supplyPrice, ONE)
  if (supplied === 0n) return 0
  const borrowed = mulDivDown(reserve.borrowed, reserve.borrowPrice, ONE)
  const paid = reserve.borrowRate * (BASIS_POINTS - reserve.fee) * borrowed
  return apyFromRate(Number((paid * 10n ** 6n) / supplied) / 1e14)
}
