import Type from 'typebox'
import { formatDecimal } from '../../kernel/index.ts'
import { id } from '../http/index.ts'
import { decimal, percent, percentText } from './formats.ts'

/** A strategy that the allocator compared, and what it found. */
export const WeighedStrategy = Type.Object({
  strategyId: id('Strategy id.'),
  name: Type.String({ description: 'Name of the strategy.' }),
  apy: percentText('Rate of the strategy when it was compared.'),
  gain: decimal('Expected yield of the whole amount over the horizon, after gas.'),
  verdict: Type.String({ description: "The allocator's verdict." }),
})

/** The gain in base units: of a plan, or as stored with an operation. */
export interface WeighedStrategyAmounts {
  readonly strategyId: number
  readonly name: string
  readonly apy: number
  readonly gain: bigint | string
  readonly verdict: string
}

export function presentWeighedStrategy(weighed: WeighedStrategyAmounts, decimals: number) {
  const { strategyId, name, apy, gain, verdict } = weighed
  return { strategyId, name, apy: percent(apy), gain: formatDecimal(BigInt(gain), decimals), verdict }
}
