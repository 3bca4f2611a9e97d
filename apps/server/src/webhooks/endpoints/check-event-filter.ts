import { validationError } from '../../kernel/index.ts'
import { EVENT_NAMES } from '../events/event-names.ts'

const ALLOWED_NAMES: ReadonlySet<string> = new Set(EVENT_NAMES)

/** The filter of a webhook: names of events, each once, or `*` alone. Error: VALIDATION_ERROR at `events`. */
export function checkEventFilter(events: readonly string[]): string[] {
  const given = [...new Set(events)]
  if (given.length === 0) throw validationError('events', 'must name at least one event, or be ["*"]')
  if (given.includes('*')) return ['*']
  const unknown = given.findIndex((name) => !ALLOWED_NAMES.has(name))
  if (unknown >= 0) throw validationError(`events[${unknown}]`, `must be * or one of ${EVENT_NAMES.join(', ')}`)
  return given
}
