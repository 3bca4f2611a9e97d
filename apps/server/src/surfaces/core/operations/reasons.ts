import Type from 'typebox'
import { formatDecimal } from '../../../kernel/index.ts'
import type { Operation } from '../../../operations/index.ts'
import { id } from '../../http/index.ts'
import { decimal, percent, percentText } from '../formats.ts'

/** Why an operation is what it is, as core writes money and rates (contract 10, spec 2.1). */
export const Reasons = Type.Object(
  {
    why: Type.String({ description: 'Why this move.' }),
    policy: Type.String({ description: 'What the approval policy made of it, and why.' }),
    worth: decimal('What it moves; of a whole position what it was worth when it was planned.'),
    excess: Type.Optional(decimal('What was above the buffer and free to be deployed.')),
    shortfall: Type.Optional(decimal('What was missing in the buffer.')),
    weighed: Type.Optional(
      Type.Array(
        Type.Object({
          strategyId: id('Strategy.'),
          name: Type.String({ description: 'Name of the strategy.' }),
          apy: percentText('Its rate then.'),
          gain: decimal('What the whole amount would have brought there over the horizon, after gas.'),
          verdict: Type.String({ description: 'What the allocator made of it.' }),
        }),
        { description: 'How the allocator weighed each strategy, best first; absent where it was not asked.' },
      ),
    ),
    notes: Type.Optional(Type.Array(Type.String(), { description: 'Why not more was moved.' })),
  },
  { $id: 'OperationReasons', description: 'Why this move, this strategy and this amount.' },
)

/** What rooms below keep with an operation, in base units and fractions. */
interface StoredReasons {
  readonly why?: string
  readonly policy?: string
  readonly worth?: string
  readonly excess?: string
  readonly shortfall?: string
  readonly weighed?: readonly { strategyId: number; name: string; apy: number; gain: string; verdict: string }[]
  readonly notes?: string[]
}

/** `null` where a caller of v1 chose for itself. */
export function presentReasons({ reasons }: Pick<Operation, 'reasons'>, decimals: number) {
  if (reasons === null) return null
  const { why = '', policy = '', worth = '0', excess, shortfall, weighed, notes } = reasons as StoredReasons
  const amount = (units: string) => formatDecimal(BigInt(units), decimals)
  return {
    why,
    policy,
    worth: amount(worth),
    ...(excess === undefined ? {} : { excess: amount(excess) }),
    ...(shortfall === undefined ? {} : { shortfall: amount(shortfall) }),
    ...(weighed === undefined
      ? {}
      : { weighed: weighed.map(({ apy, gain, ...rest }) => ({ ...rest, apy: percent(apy), gain: amount(gain) })) }),
    ...(notes === undefined ? {} : { notes }),
  }
}
