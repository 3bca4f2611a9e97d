import { expect, test } from 'vitest'
import { addMilliseconds, havePassed, ManualClock } from './clock.ts'

test('what is due after a while is due without a last time, after that while, and after the clock was set back', () => {
  const since = new ManualClock().now()
  const after = (milliseconds: number) => havePassed(1_000, since, addMilliseconds(since, milliseconds))
  expect(havePassed(1_000, undefined, since)).toBe(true)
  expect([after(0), after(999), after(1_000), after(-1)]).toEqual([false, false, true, true])
})
