import Type from 'typebox'
import { id } from '../http/index.ts'
import { decimal } from './formats.ts'

/** A position that a shortfall can be withdrawn from, and what its strategy could pay of it. */
export const PayableSource = Type.Object({
  strategyId: id('Strategy id.'),
  name: Type.String({ description: 'Name of the strategy.' }),
  value: decimal('Value of the position.'),
  withdrawable: decimal('What the strategy can pay out of it now.'),
  verdict: Type.String({ description: 'What that means for the withdrawal.' }),
})
