import type { Schema } from '../../api/types.ts'
import { difference, isZero } from '../../lib/money/money.ts'

type Planned = Pick<Schema<'CoreOperation'>, 'type'> & {
  readonly reasons: Pick<Schema<'OperationReasons'>, 'worth' | 'excess' | 'shortfall'> | null
}

/** What the operation is a part of, where that is more than itself: the approval policy judges the whole. */
export function wholeOf({ type, reasons }: Planned): string | undefined {
  const whole = type === 'SUPPLY' ? reasons?.excess : reasons?.shortfall
  if (!whole || !reasons?.worth) return undefined
  const rest = difference(whole, reasons.worth)
  return isZero(rest) || rest.startsWith('-') ? undefined : whole
}
