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
}

const PRICE_DECIMALS = 8

/** A feed's integer with `decimals` places in 1e-8 US dollars. */
export const scaledPrice = (answer: bigint, decimals: number): bigint =>
  decimals > PRICE_DECIMALS
    ? answer / 10n ** BigInt(decimals - PRICE_DECIMALS)
    : answer * 10n ** BigInt(PRICE_DECIMALS - decimals)
