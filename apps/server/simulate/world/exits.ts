import type { ExitTerms, Market } from './market.ts'
import type { Exit, State, WaitingRequest } from './state.ts'

/** The value is of 10^30 shares, as in the vault adapters. */
const PRICED = 10n ** 30n

/** An owner's exit at one time. Base units of the token. */
export interface ExitAt {
  readonly pendingShares: bigint
  readonly pending: bigint
  readonly claimable: bigint
}

/** A market whose withdrawals are requested and claimed later. */
export type SlowMarket = Market & { readonly exit: ExitTerms }

export const isSlow = (market: Market): market is SlowMarket => market.exit !== undefined

/** What an owner requested back from a market and has not claimed, as its contract shows it. */
export function exitAt(state: State, market: Market, owner: string, time: number): ExitAt {
  const { waiting, claimable } = state.exit(market.contract, owner)
  const sum = { pendingShares: 0n, pending: 0n, claimable }
  for (const request of waiting) {
    if (request.until <= time) sum.claimable += worthOf(market, request, request.until)
    else if (request.assets === undefined) sum.pendingShares += request.shares
    else sum.pending += request.assets
  }
  // What waits is worth its shares together.
  const pending = sum.pending + worthOf(market, { shares: sum.pendingShares }, time)
  return { ...sum, pending }
}

/** A cooldown fixes the amount; a queue pays the price at its settlement. */
const worthOf = (market: Market, { shares, assets }: Pick<WaitingRequest, 'shares' | 'assets'>, time: number): bigint =>
  assets ?? (shares * market.price(time)) / PRICED

/** What waited and is over becomes claimable. */
export function settled(state: State, market: Market, owner: string, time: number): Exit {
  const { waiting } = state.exit(market.contract, owner)
  const { claimable } = exitAt(state, market, owner, time)
  return { waiting: waiting.filter(({ until }) => until > time), claimable }
}

/** When a queue settles what is requested now: at the end of its present epoch. */
export const endOfEpoch = ({ exit }: SlowMarket, time: number): number =>
  (Math.floor(time / exit.seconds) + 1) * exit.seconds
