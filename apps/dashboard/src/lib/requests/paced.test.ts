import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { paced } from './paced.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const PACE = { settleMs: 700, intervalMs: 3_000, longestMs: 15_000 }

/** Work that ends when the test says so. */
function started() {
  const ends: (() => void)[] = []
  const work = () => new Promise<void>((resolve) => ends.push(resolve))
  const pace = paced(work, PACE)
  return { ...pace, runs: () => ends.length, end: () => ends.at(-1)!() }
}

test('requests that never pause do not put off the work', async () => {
  const { ask, runs } = started()
  for (let ms = 0; ms < 1_000; ms += 100) {
    ask()
    await vi.advanceTimersByTimeAsync(100)
  }
  expect(runs()).toBe(1)
})

test('what is requested while the work runs leads to one more run, and to no more', async () => {
  const { ask, runs, end } = started()
  ask()
  await vi.advanceTimersByTimeAsync(700)
  ask()
  ask()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(runs()).toBe(1)
  end()
  await vi.advanceTimersByTimeAsync(700)
  expect(runs()).toBe(2)
  end()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(runs()).toBe(2)
})

test('runs keep their distance', async () => {
  const { ask, runs, end } = started()
  ask()
  await vi.advanceTimersByTimeAsync(700)
  end()
  await vi.advanceTimersByTimeAsync(0)
  ask()
  await vi.advanceTimersByTimeAsync(2_999)
  expect(runs()).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(runs()).toBe(2)
})

test('work that never ends, or fails, holds up the next run for a while only', async () => {
  const { ask, runs } = started()
  ask()
  await vi.advanceTimersByTimeAsync(700)
  ask()
  await vi.advanceTimersByTimeAsync(15_700)
  expect(runs()).toBe(2)
  const failed = vi.fn(() => Promise.reject(new Error('refused')))
  const failing = paced(failed, PACE)
  failing.ask()
  await vi.advanceTimersByTimeAsync(700)
  failing.ask()
  await vi.advanceTimersByTimeAsync(3_000)
  expect(failed).toHaveBeenCalledTimes(2)
})

test('nothing runs after the end', async () => {
  const { ask, stop, runs } = started()
  ask()
  stop()
  ask()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(runs()).toBe(0)
})
