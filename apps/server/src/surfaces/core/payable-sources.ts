import Type from 'typebox'
import { formatDecimal } from '../../kernel/index.ts'
import { id } from '../http/index.ts'
import { decimal, orNull } from './formats.ts'

/** A position that a shortfall can be withdrawn from, and what its strategy could pay of it. */
export const PayableSource = Type.Object({
  strategyId: id('Strategy id.'),
  name: Type.String({ description: 'Name of the strategy.' }),
  value: decimal('Value of the position.'),
  withdrawable: orNull(decimal('Amount.'), 'What the strategy can pay out of it now; null if that could not be read.'),
  verdict: Type.String({ description: 'What that means for the withdrawal.' }),
})

/** Amounts in base units: of a plan, or as stored with an operation. */
export interface PayableSourceAmounts {
  readonly strategyId: number
  readonly name: string
  readonly value: bigint | string
  readonly withdrawable: bigint | string | null
  readonly verdict: string
}

export function presentPayableSource(source: PayableSourceAmounts, decimals: number) {
  const { strategyId, name, value, withdrawable, verdict } = source
  const amount = (units: bigint | string) => formatDecimal(BigInt(units), decimals)
  return {
    strategyId,
    name,
    value: amount(value),
    withdrawable: withdrawable === null ? null : amount(withdrawable),
    verdict,
  }
}
