import { expect, test } from 'vitest'
import { steadyClock } from './clock.ts'

function clocks() {
  const [date, monotonic] = [Date.parse('2026-05-05T12:00:00Z'), 5_000]
  const state = { date, monotonic }
  const steady = steadyClock({ now: () => new Date(state.date), monotonic: () => state.monotonic })
  return { state, passed: () => steady.now().getTime() - date }
}

test('a date that is set forward moves the limits’ clock only by the time that passed', () => {
  const { state, passed } = clocks()
  state.date += 86_400_000
  state.monotonic += 1_000
  expect(passed()).toBe(1_000)
})

test('a date that is set back sets the limits’ clock back, which frees nothing', () => {
  const { state, passed } = clocks()
  state.date -= 86_400_000
  state.monotonic += 1_000
  expect(passed()).toBe(-86_400_000)
})
