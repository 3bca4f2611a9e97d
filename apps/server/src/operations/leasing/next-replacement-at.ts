import { addMilliseconds } from '../../kernel/index.ts'
import { DEFAULT_TIMEOUTS, type Parts } from '../lifecycle/parts.ts'

/** When a replacement that is not possible now is tried again. */
export function nextReplacementAt({ clock, timeouts = DEFAULT_TIMEOUTS }: Pick<Parts, 'clock' | 'timeouts'>): Date {
  return addMilliseconds(clock.now(), timeouts.replaceAfterMs)
}
