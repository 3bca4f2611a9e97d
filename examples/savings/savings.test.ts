import { type ReceivedEvent, Weir } from '@weir/sdk'
import { expect, test } from 'vitest'
import { type Bank, Savings } from './savings.ts'

const bank = { weir: new Weir({ baseUrl: 'http://127.0.0.1:1' }) } as Bank
const eventOf = (id: string, event: string): ReceivedEvent =>
  ({ id, event, timestamp: '2026-01-01T00:00:00.000Z', data: { operationId: 7 } }) as unknown as ReceivedEvent

test.each([
  ['that landed late', ['operation.failed', 'operation.completed']],
  ['whose failure arrives late', ['operation.completed', 'operation.failed']],
  ['whose failure arrives again', ['operation.failed', 'operation.completed', 'operation.failed']],
])('a transfer %s is booked as completed', (_which, events) => {
  const savings = new Savings(bank)
  for (const [index, event] of events.entries()) savings.book(eventOf(`evt_${index}`, event))
  expect(savings.isBooked(7)).toBe(true)
})

test('a failed transfer is not booked', () => {
  const savings = new Savings(bank)
  savings.book(eventOf('evt_1', 'operation.failed'))
  expect(savings.isBooked(7)).toBe(false)
})
