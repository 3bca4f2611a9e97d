import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ALLOCATION_TRANSITIONS, allocationTransition, OPENING_STATUS, statusChange } from './allocation-states.ts'

test('each event leads from a state to one other state, and to the same state from everywhere', () => {
  const keys = ALLOCATION_TRANSITIONS.map(({ from, event }) => `${from} ${event}`)
  expect(new Set(keys).size).toBe(keys.length)
  for (const { event, from, to } of ALLOCATION_TRANSITIONS) {
    expect(from).not.toBe(to)
    expect(statusChange(event).to).toBe(to)
    expect(statusChange(event).from).toContain(from)
  }
})

test('an allocation opens ACTIVE, and a CLOSED one is never opened again', () => {
  expect(OPENING_STATUS).toBe('ACTIVE')
  expect(ALLOCATION_TRANSITIONS.filter(({ from }) => from === 'CLOSED')).toEqual([])
  expect(allocationTransition('CLOSED', 'unwind_ended')).toBeUndefined()
})

test('only an emptied allocation emits an event; a lost chain closes it without one', () => {
  const emitting = ALLOCATION_TRANSITIONS.filter(({ emits }) => emits !== undefined)
  expect(new Set(emitting.map(({ event }) => event))).toEqual(new Set(['emptied']))
})

test('write-allocation.ts is the only file that writes allocations, apart from what their strategies can pay', () => {
  const room = new URL('../', import.meta.url)
  const writers = readdirSync(room, { recursive: true, encoding: 'utf8' }).filter(
    (name) =>
      /(?<!\.test)\.ts$/.test(name) &&
      /(insertInto|updateTable|deleteFrom)\('allocations'\)|\b(update|insert into|delete from) allocations\b/.test(
        readFileSync(new URL(name, room), 'utf8'),
      ),
  )
  expect(writers).toEqual(['positions/refresh-withdrawable.ts', 'positions/write-allocation.ts'])
})
