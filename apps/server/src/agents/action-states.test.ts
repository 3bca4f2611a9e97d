import { expect, test } from 'vitest'
import { AGENT_ACTION, REQUESTED_STATUS } from './action-states.ts'

test('a requested action is PENDING until it is reported, and a reported one never changes', () => {
  expect(REQUESTED_STATUS).toBe('PENDING')
  expect(new Set(AGENT_ACTION.transitions.map(({ from }) => from))).toEqual(new Set(['PENDING']))
  const ends = AGENT_ACTION.transitions.filter(({ to }) => to !== 'PENDING')
  expect(ends.map(({ event, to }) => [event, to])).toEqual([
    ['succeeded', 'SUCCESS'],
    ['failed', 'FAILED'],
  ])
})
