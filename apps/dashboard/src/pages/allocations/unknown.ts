import type { Schema } from '../../api/types.ts'
import { sum } from '../../lib/money/money.ts'

/** All of what may come back at a time that nobody knows. What operations hold is shown by itself. */
export const sumOf = ({ reserved: _, ...unknown }: Schema<'Liquidity'>['unknown']): string =>
  sum(Object.values(unknown).flatMap((amount) => amount ?? []))
