import { expect, test } from 'vitest'
import { isNamedLocal, NAMED_LOCAL_JOINS } from './named-local-joins.ts'

test('a statement is named with its pairs only, whatever its spaces', () => {
  const relay = 'with line as (\n  update event_relay set last_position = 1\n) update outbox'
  expect(isNamedLocal('outbox and event_relay', relay)).toBe(true)
  expect(isNamedLocal('wallets and event_relay', relay)).toBe(false)
  expect(isNamedLocal('outbox and event_relay', 'delete from outbox using event_relay')).toBe(false)
})

test('a worker may check its lease in any statement', () => {
  expect(isNamedLocal('wallets and job_leases', 'update wallets set label = null')).toBe(true)
})

test('each statement that is named has a reason', () => {
  for (const { why } of NAMED_LOCAL_JOINS) expect(why).toMatch(/\w+ \w+/)
})
