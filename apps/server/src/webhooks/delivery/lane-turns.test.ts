// Also tested in: webhooks/delivery/delivery-worker.test.ts (a backlog that keeps no lane while another webhook waits).

import { expect, test } from 'vitest'
import { WEBHOOK_TURN } from '../../kernel/index.ts'
import { createLaneTurns } from './lane-turns.ts'

function openTurns() {
  let now = 0
  const turns = createLaneTurns(() => now)
  return { turns, pass: (ms: number) => (now += ms) }
}

test('a turn ends after some seconds or deliveries, and only while a webhook waits', () => {
  const { turns, pass } = openTurns()
  const [slow, fast] = [turns.begin(), turns.begin()]
  pass(WEBHOOK_TURN.ms - 1)
  turns.awaited(5)
  expect([slow.isOver(1), fast.isOver(WEBHOOK_TURN.deliveries - 1)]).toEqual([false, false])
  expect(fast.isOver(WEBHOOK_TURN.deliveries)).toBe(true)
  turns.awaited(0)
  pass(1)
  expect(slow.isOver(1)).toBe(false)
  turns.awaited(2)
  expect(slow.isOver(1)).toBe(true)
})

test('as many turns end as webhooks wait, counting those that are ending', () => {
  const { turns, pass } = openTurns()
  const lanes = [turns.begin(), turns.begin(), turns.begin()]
  pass(WEBHOOK_TURN.ms)
  turns.awaited(1)
  expect(lanes.map((lane) => lane.isOver(1))).toEqual([true, false, false])
  turns.awaited(1)
  expect(lanes.map((lane) => lane.isOver(1))).toEqual([true, false, false])
  expect(lanes.map((lane) => lane.end())).toEqual([true, false, false])
  turns.awaited(1)
  expect(lanes.slice(1).map((lane) => lane.isOver(1))).toEqual([true, false])
})
