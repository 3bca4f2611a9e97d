import { validationError } from '../../kernel/index.ts'
import { EVENT_NAMES } from '../events/event-names.ts'

const ALLOWED_NAMES: ReadonlySet<string> = new Set(EVENT_NAMES)

/** Normalizes an event filter: unique event names, or only `*`. Error: VALIDATION_ERROR at `events`. */
export function checkEventFilter(events: readonly string[]): string[] {
  const names = [...new Set(events)]
  if (names.length === 0) throw validationError('events', 'must name at least one event, or be ["*"]')
  if (names.includes('*')) return ['*']
  const unknown = names.findIndex((name) => !ALLOWED_NAMES.has(name))
  if (unknown >= 0) throw validationError(`events[${unknown}]`, `must be * or one of ${EVENT_NAMES.join(', ')}`)
  return names
}
