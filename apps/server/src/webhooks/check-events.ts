import { invalid } from '../kernel/index.ts'
import { EVENTS } from './events.ts'

const KNOWN: ReadonlySet<string> = new Set(EVENTS)

/** The filter of a webhook: names of events, each once, or `*` alone. Error: VALIDATION_ERROR at `events`. */
export function checkEvents(events: readonly string[]): string[] {
  const given = [...new Set(events)]
  if (given.length === 0) throw invalid('events', 'must name at least one event, or be ["*"]')
  if (given.includes('*')) return ['*']
  const unknown = given.findIndex((name) => !KNOWN.has(name))
  if (unknown >= 0) throw invalid(`events[${unknown}]`, `must be * or one of ${EVENTS.join(', ')}`)
  return given
}
