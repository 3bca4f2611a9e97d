import { EVENT_NAMES } from '../../server/src/webhooks/events/event-names.ts'
import { distance } from './distance.ts'
import { UsageError } from './shell.ts'

/** What may be meant: each event, and all events of one kind. */
const OFFERED = [...new Set(EVENT_NAMES.map((name) => name.replace(/\..*/, '.*'))), ...EVENT_NAMES]

/**
 * Whether an event is one of a list such as `operation.*,allocation.created`. Throws UsageError if a part of the list is
 * no event: it would wait for one that never comes.
 */
export function eventFilter(list: string): (event: string) => boolean {
  const patterns = list.split(',').map((part) => patternOf(part.trim()))
  return (event) => patterns.some((pattern) => pattern.test(event))
}

function patternOf(part: string): RegExp {
  const words = part.split('*').map((word) => word.replace(/[^\w]/g, '\\$&'))
  const pattern = new RegExp(`^${words.join('.*')}$`)
  if (EVENT_NAMES.some((name) => pattern.test(name))) return pattern
  const [first, second, third] = nearest(part)
  throw new UsageError(`"${part}" is no event: did you mean ${first}, ${second} or ${third}?`)
}

/** What differs by the fewest letters comes first. */
const nearest = (text: string): string[] =>
  OFFERED.toSorted((one, other) => distance(text, one) - distance(text, other))
