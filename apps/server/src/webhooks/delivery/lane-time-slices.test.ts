// Also tested in: webhooks/delivery/delivery-worker.test.ts (a backlog that keeps no lane while another webhook waits).

import { expect, test } from 'vitest'
import { WEBHOOK_TIME_SLICE } from '../../kernel/index.ts'
import { createLaneTimeSlices } from './lane-time-slices.ts'

function openSlices() {
  let now = 0
  const slices = createLaneTimeSlices(() => now)
  return { slices, pass: (ms: number) => (now += ms) }
}

test('a time slice ends after some seconds or deliveries, and only while a webhook waits', () => {
  const { slices, pass } = openSlices()
  const [slow, fast] = [slices.begin(), slices.begin()]
  pass(WEBHOOK_TIME_SLICE.ms - 1)
  slices.awaited(5)
  expect([slow.isOver(1), fast.isOver(WEBHOOK_TIME_SLICE.deliveries - 1)]).toEqual([false, false])
  expect(fast.isOver(WEBHOOK_TIME_SLICE.deliveries)).toBe(true)
  slices.awaited(0)
  pass(1)
  expect(slow.isOver(1)).toBe(false)
  slices.awaited(2)
  expect(slow.isOver(1)).toBe(true)
})

test('as many slices end as webhooks wait, counting those that are ending', () => {
  const { slices, pass } = openSlices()
  const lanes = [slices.begin(), slices.begin(), slices.begin()]
  pass(WEBHOOK_TIME_SLICE.ms)
  slices.awaited(1)
  expect(lanes.map((lane) => lane.isOver(1))).toEqual([true, false, false])
  slices.awaited(1)
  expect(lanes.map((lane) => lane.isOver(1))).toEqual([true, false, false])
  expect(lanes.map((lane) => lane.end())).toEqual([true, false, false])
  slices.awaited(1)
  expect(lanes.slice(1).map((lane) => lane.isOver(1))).toEqual([true, false])
})
