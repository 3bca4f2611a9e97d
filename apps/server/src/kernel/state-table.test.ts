import { expect, test } from 'vitest'
import { stateTable } from './state-table.ts'

const door = stateTable([
  { from: 'open', event: 'pushed', to: 'closed' },
  { from: 'closed', event: 'pulled', to: 'open' },
  { from: 'ajar', event: 'pushed', to: 'closed' },
])

test('a table finds the transition of an event in a state, and none where the event means nothing', () => {
  expect(door.find('open', 'pushed')).toMatchObject({ to: 'closed' })
  expect(door.find('open', 'pulled')).toBeUndefined()
  expect(door.statesBefore('pushed')).toEqual(['open', 'ajar'])
  expect(door.states).toEqual(['open', 'closed', 'ajar'])
  expect(door.events).toEqual(['pushed', 'pulled'])
})

test('a table is immutable', () => {
  expect(Object.isFrozen(door)).toBe(true)
  expect(Object.isFrozen(door.transitions)).toBe(true)
  for (const transition of door.transitions) expect(Object.isFrozen(transition)).toBe(true)
})

test('an event with two transitions from one state is rejected', () => {
  const rows = [
    { from: 'open', event: 'pushed', to: 'closed' },
    { from: 'open', event: 'pushed', to: 'ajar' },
  ]
  expect(() => stateTable(rows)).toThrow('two things')
})
