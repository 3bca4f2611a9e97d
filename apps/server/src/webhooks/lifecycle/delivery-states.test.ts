import { expect, test } from 'vitest'
import { DELIVERY, type DeliveryEvent, deliveryChange, QUEUED_STATUS } from './delivery-states.ts'

test('an event leads to one status, wherever it starts', () => {
  for (const { event, to } of DELIVERY.transitions) expect(deliveryChange(event).to).toBe(to)
})

test('a delivery is queued as pending, and only a replay leads out of an end', () => {
  expect(QUEUED_STATUS).toBe('pending')
  const afterEnd = DELIVERY.transitions.filter(({ from }) => from !== 'pending')
  expect(new Set(afterEnd.map(({ event }) => event))).toEqual(new Set<DeliveryEvent>(['replayed']))
})

test('the events of an attempt mean something only while the delivery is pending', () => {
  for (const event of ['succeeded', 'attempt_failed', 'attempts_exhausted'] as const)
    expect(deliveryChange(event).from).toEqual(['pending'])
})
