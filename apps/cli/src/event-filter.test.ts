import { expect, test } from 'vitest'
import { EVENT_NAMES } from '../../server/src/webhooks/events/event-names.ts'
import { eventFilter } from './event-filter.ts'
import { UsageError } from './shell.ts'

test('a filter takes names, and stars for any text', () => {
  const isWanted = eventFilter('operation.*, break.opened')
  expect(['operation.completed', 'break.opened'].map(isWanted)).toEqual([true, true])
  expect(['break.closed', 'operation', 'xoperation.completed', 'break-opened'].map(isWanted)).toEqual(
    Array(4).fill(false),
  )
  expect(eventFilter('*')('anything.at_all')).toBe(true)
  for (const name of EVENT_NAMES) expect(eventFilter(name)(name)).toBe(true)
})

test.each([
  ['operation.complete', 'operation.completed'],
  ['operations.*', 'operation.*'],
  ['operation', 'operation.*'],
  ['allocation.opened', 'allocation.closed'],
  ['webhook', 'webhook.test'],
  ['operation.*,brake.opened', 'break.opened'],
])('what is no event is refused with the nearest ones: %s', (list, meant) => {
  expect(() => eventFilter(list)).toThrow(UsageError)
  expect(() => eventFilter(list)).toThrow(new RegExp(`is no event: did you mean .*${meant.replace('*', '\\*')}`))
})
