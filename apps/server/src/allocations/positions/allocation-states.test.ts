import { expect, test } from 'vitest'
import { ALLOCATION, OPENING_STATUS, statusChange } from './allocation-states.ts'

// house-states.test.ts checks that only write-allocation.ts assigns a status.

test('each event leads from a state to one other state, and to the same state from everywhere', () => {
  for (const { event, from, to } of ALLOCATION.transitions) {
    expect(from).not.toBe(to)
    expect(statusChange(event).to).toBe(to)
    expect(statusChange(event).from).toContain(from)
  }
})

test('an allocation opens ACTIVE, and a CLOSED one is never opened again', () => {
  expect(OPENING_STATUS).toBe('ACTIVE')
  expect(ALLOCATION.transitions.filter(({ from }) => from === 'CLOSED')).toEqual([])
  expect(ALLOCATION.find('CLOSED', 'unwind_ended')).toBeUndefined()
})

test('only an emptied allocation emits an event; a lost chain closes it without one', () => {
  const emitting = ALLOCATION.transitions.filter(({ emits }) => emits !== undefined)
  expect(new Set(emitting.map(({ event }) => event))).toEqual(new Set(['emptied']))
})
