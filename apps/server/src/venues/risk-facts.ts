import type { StoredContractCode } from '../database/index.ts'

/** What readers of every family report beside their venues. */
export interface RiskFacts {
  readonly prices: readonly TokenPrice[]
  readonly codes: readonly StrategyCode[]
}

export interface TokenPrice {
  readonly tokenAddress: string
  /** 1e-8 US dollars. */
  readonly price: bigint
  readonly pricedAt: Date
}

export interface StrategyCode {
  readonly strategyId: number
  readonly contracts: readonly StoredContractCode[]
  /** The code behind these contracts that holds the money too; `unread`: there is some, and it could not be read. */
  readonly behind?: StoredContractCode | 'unread'
}

const PRICE_DECIMALS = 8
/** The last second of the database's and of JavaScript's calendars. */
const LAST_SECOND = 8_640_000_000_000n

/** When a feed was updated, from its Unix seconds; `undefined` if no such time exists. */
export function timeOfFeed(seconds: bigint): Date | undefined {
  return seconds > 0n && seconds <= LAST_SECOND ? new Date(Number(seconds) * 1_000) : undefined
}

/** A feed's integer with `decimals` places in 1e-8 US dollars. */
export const scaledPrice = (answer: bigint, decimals: number): bigint =>
  decimals > PRICE_DECIMALS
    ? answer / 10n ** BigInt(decimals - PRICE_DECIMALS)
    : answer * 10n ** BigInt(PRICE_DECIMALS - decimals)
