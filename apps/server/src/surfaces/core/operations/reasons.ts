import Type from 'typebox'
import { formatDecimal } from '../../../kernel/index.ts'
import type { Operation } from '../../../operations/index.ts'
import { decimal } from '../formats.ts'
import { PayableSource, type PayableSourceAmounts, presentPayableSource } from '../payable-sources.ts'
import { presentWeighedStrategy, WeighedStrategy, type WeighedStrategyAmounts } from '../weighed-strategies.ts'

/** The reasons of an operation, with money and rates in the formats of core (contract 10, spec 2.1). */
export const Reasons = Type.Object(
  {
    why: Type.String({ description: 'Why the move was made.' }),
    policy: Type.String({ description: 'Outcome of the approval policy, and why.' }),
    worth: decimal('Amount of the move; for a full withdrawal, the value of the position when it was planned.'),
    excess: Type.Optional(decimal('Amount above the buffer that was available to deploy.')),
    shortfall: Type.Optional(decimal('Amount missing from the buffer.')),
    awaited: Type.Optional(
      decimal('Part of it that the positions were worth and could not pay then; absent if nothing was withdrawn.'),
    ),
    sources: Type.Optional(
      Type.Array(PayableSource, {
        description: 'Positions that it could be withdrawn from, as they were then; absent if nothing was withdrawn.',
      }),
    ),
    weighed: Type.Optional(
      Type.Array(WeighedStrategy, {
        description: 'Strategies that the allocator compared, best first; absent if it was not involved.',
      }),
    ),
    notes: Type.Optional(Type.Array(Type.String(), { description: 'Why the move was not larger.' })),
  },
  { $id: 'OperationReasons', description: 'Why this move, this strategy and this amount.' },
)

/** The reasons as stored with an operation, in base units and fractions. */
interface StoredReasons {
  readonly why?: string
  readonly policy?: string
  readonly excess?: string
  readonly shortfall?: string
  readonly awaited?: string
  readonly sources?: readonly PayableSourceAmounts[]
  readonly weighed?: readonly WeighedStrategyAmounts[]
  readonly notes?: string[]
}

/** `null` if a v1 client chose the move. */
export function presentReasons(
  { reasons, plannedValue }: Pick<Operation, 'reasons' | 'plannedValue'>,
  decimals: number,
) {
  if (reasons === null) return null
  const { why = '', policy = '', excess, shortfall, awaited, sources, weighed, notes } = reasons as StoredReasons
  const amount = (units: string) => formatDecimal(BigInt(units), decimals)
  return {
    why,
    policy,
    worth: formatDecimal(plannedValue ?? 0n, decimals),
    ...(excess === undefined ? {} : { excess: amount(excess) }),
    ...(shortfall === undefined ? {} : { shortfall: amount(shortfall) }),
    ...(awaited === undefined ? {} : { awaited: amount(awaited) }),
    ...(sources === undefined ? {} : { sources: sources.map((source) => presentPayableSource(source, decimals)) }),
    ...(weighed === undefined ? {} : { weighed: weighed.map((each) => presentWeighedStrategy(each, decimals)) }),
    ...(notes === undefined ? {} : { notes }),
  }
}
