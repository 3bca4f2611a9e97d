import { expect, test } from 'vitest'
import { loggedLines } from '../../testing/logged-lines.ts'
import { addMilliseconds, ManualClock } from './clock.ts'
import { certainDifferenceMs, clockDifference, createClockComparison } from './clock-comparison.ts'
import { CLOCK_DIFFERENCE_MAX_MS } from './limits.ts'

const LIMIT = CLOCK_DIFFERENCE_MAX_MS

/** Two clocks, of which the own one can be set; real time passes for both. */
function twoClocks() {
  const own = new ManualClock()
  const theirs = new ManualClock()
  const { log, lines, take } = loggedLines()
  let elapsed = 0
  const clocks = createClockComparison({ clock: own, log, monotonicMs: () => elapsed })
  const pass = (milliseconds: number) => {
    elapsed += milliseconds
    own.advance(milliseconds)
    theirs.advance(milliseconds)
  }
  /** Asks for the time; the other clock is read after the first part of the round trip. */
  const ask = (thereMs = 1, backMs = 1) => {
    const sentMs = elapsed
    pass(thereMs)
    const time = theirs.now()
    pass(backMs)
    clocks.heard(time, sentMs)
  }
  return { own, theirs, clocks, pass, ask, lines, take }
}

test('a difference is certain without the round trip only, in both directions', () => {
  const at = (milliseconds: number) => addMilliseconds(new Date(0), milliseconds)
  expect(clockDifference(10_000, 10_400, at(4_000))).toEqual({ minMs: 6_000, maxMs: 6_400 })
  expect(certainDifferenceMs(clockDifference(10_000, 10_400, at(4_000)))).toBe(6_000)
  expect(certainDifferenceMs(clockDifference(10_000, 10_400, at(16_400)))).toBe(-6_000)
  for (const within of [10_000, 10_200, 10_400]) {
    expect(certainDifferenceMs(clockDifference(10_000, 10_400, at(within)))).toBe(0)
  }
})

test('until something is heard, nothing is known and the clock counts as right', () => {
  const { own, clocks } = twoClocks()
  expect([clocks.differenceMs(), clocks.agrees(), clocks.now()]).toEqual([undefined, true, own.now()])
})

test.each([1, -1])('clocks that differ by more than the limit do not agree, ahead or behind (%i)', (direction) => {
  const { own, theirs, clocks, ask } = twoClocks()
  own.advance(direction * LIMIT)
  ask()
  expect(clocks.agrees()).toBe(true)
  expect(clocks.now()).toEqual(own.now())
  own.advance(direction * 100)
  ask()
  expect(clocks.agrees()).toBe(false)
  expect(clocks.differenceMs()).toBeCloseTo(direction * (LIMIT + 99), 0)
  expect(Math.abs(clocks.now().getTime() - theirs.now().getTime())).toBeLessThanOrEqual(2)
})

test('a slow response accuses no good clock, wherever its time was lost', () => {
  for (const [there, back] of [
    [100_000, 0],
    [0, 100_000],
    [50_000, 50_000],
  ] as const) {
    const { clocks, ask, lines } = twoClocks()
    ask(there, back)
    expect([clocks.agrees(), clocks.differenceMs(), lines]).toEqual([true, 0, []])
  }
})

test('a slow response does not end a difference that a fast one showed', () => {
  const { own, clocks, ask } = twoClocks()
  own.advance(2 * LIMIT)
  ask()
  ask(0, 3 * LIMIT)
  expect(clocks.agrees()).toBe(false)
  expect(clocks.differenceMs()).toBeGreaterThan(LIMIT)
})

test('a step of the own clock counts at once, before anything more is heard', () => {
  const { own, clocks, pass, ask, lines } = twoClocks()
  ask()
  pass(5_000)
  expect(clocks.agrees()).toBe(true)
  own.advance(600_000)
  expect(clocks.agrees()).toBe(false)
  own.advance(-600_000)
  expect([clocks.agrees(), lines]).toEqual([true, []])
})

test('a step of the other clock counts when it is heard, and the newer response is believed', () => {
  const { theirs, clocks, ask } = twoClocks()
  ask()
  theirs.advance(600_000)
  ask()
  expect([clocks.agrees(), Math.round(clocks.differenceMs()! / 1_000)]).toEqual([false, -600])
  theirs.advance(-600_000)
  ask()
  expect(clocks.agrees()).toBe(true)
})

test('a difference is one line while it lasts, and one when it is over', () => {
  const { own, ask, lines } = twoClocks()
  own.advance(600_000)
  for (let times = 0; times < 5; times += 1) ask()
  expect(lines).toMatchObject([
    {
      level: 40,
      aheadSeconds: 600,
      msg: 'the clocks of this process and of the database differ: this process ends nothing because of the time',
    },
  ])
  own.advance(-600_000)
  for (let times = 0; times < 5; times += 1) ask()
  expect(lines.slice(1)).toMatchObject([
    { level: 30, aheadSeconds: 0, msg: 'the clocks of this process and of the database agree again' },
  ])
})
