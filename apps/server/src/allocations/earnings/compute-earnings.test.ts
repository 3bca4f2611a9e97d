import fc from 'fast-check'
import { expect, test } from 'vitest'
import { computeEarnings, type YieldReading } from './compute-earnings.ts'

const DAYS = Array.from({ length: 9 }, (_, index) => `2026-03-0${index + 1}`)

/** Readings of up to four positions at three venues, in day order. */
const readings = fc
  .array(
    fc.record({
      allocationId: fc.integer({ min: 1, max: 4 }),
      day: fc.constantFrom(...DAYS),
      value: fc.bigInt({ min: 0n, max: 10n ** 12n }),
      cumulative: fc.bigInt({ min: -(10n ** 9n), max: 10n ** 12n }),
    }),
    { maxLength: 40 },
  )
  .map((all) =>
    all
      .map((reading): YieldReading => {
        const venueId = (reading.allocationId % 3) + 1
        return { ...reading, venueId, venueName: `Venue ${venueId}` }
      })
      .toSorted((a, b) => (a.day < b.day ? -1 : Number(a.day > b.day))),
  )

/** The last reading of each position, optionally before a day. */
function lastOf(all: readonly YieldReading[], before = '9999'): Map<number, YieldReading> {
  return new Map(all.filter(({ day }) => day < before).map((reading) => [reading.allocationId, reading]))
}
const total = (of: Iterable<bigint>) => [...of].reduce((sum, amount) => sum + amount, 0n)

const always = (check: (all: YieldReading[], from: string) => void) =>
  fc.assert(fc.property(readings, fc.constantFrom(...DAYS), check))

test('the days add up to what the positions earned in the period, to the unit', () => {
  always((all, from) => {
    const { yieldEarned, history } = computeEarnings(all, from)
    const [before, after] = [lastOf(all, from), lastOf(all)]
    const earned = total([...after].map(([id, { cumulative }]) => cumulative - (before.get(id)?.cumulative ?? 0n)))
    expect(yieldEarned).toBe(earned)
    expect(total(history.map((day) => day.yieldEarned))).toBe(earned)
  })
})

test('venues and their days add up to the same', () => {
  always((all, from) => {
    const { yieldEarned, byVenue, history } = computeEarnings(all, from)
    expect(total(byVenue.map((venue) => venue.yieldEarned))).toBe(yieldEarned)
    for (const { day, yieldEarned: of } of history) {
      const parts = byVenue.flatMap((venue) => venue.history.filter((own) => own.day === day))
      expect(total(parts.map((part) => part.yieldEarned))).toBe(of)
    }
    expect(byVenue.map(({ venueId }) => venueId)).toEqual(byVenue.map(({ venueId }) => venueId).toSorted())
  })
})

test('every day of the period with a reading appears once, in order, and no other day does', () => {
  always((all, from) => {
    const days = [...new Set(all.map(({ day }) => day))].filter((day) => day >= from).toSorted()
    expect(computeEarnings(all, from).history.map(({ day }) => day)).toEqual(days)
  })
})

test('the cumulative yield accumulates day by day, and the value is that of all positions at the end of each day', () => {
  always((all, from) => {
    let running = 0n
    for (const { day, yieldEarned, cumulativeYield, positionValue } of computeEarnings(all, from).history) {
      running += yieldEarned
      expect(cumulativeYield).toBe(running)
      const open = lastOf(all.filter((reading) => reading.day <= day))
      expect(positionValue).toBe(total([...open.values()].map(({ value }) => value)))
    }
  })
})

test('without readings nothing is earned', () => {
  expect(computeEarnings([], DAYS[0]!)).toEqual({ yieldEarned: 0n, history: [], byVenue: [] })
})
