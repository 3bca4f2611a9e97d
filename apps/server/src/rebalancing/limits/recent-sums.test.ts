import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Database } from '../../database/index.ts'
import { SLOW_SUMS } from '../../kernel/index.ts'
import { recentSums } from './recent-sums.ts'

/** Counts its reads; each takes that long. */
function reading(ms: number) {
  const parts = { db: {} as Database, clock: { now: () => new Date(at) } }
  let at = 0
  let reads = 0
  const sumsOf = (organizationId = 1) =>
    recentSums(parts, organizationId, async (_db, id, now) => {
      reads += 1
      await delay(ms)
      return { organizationId: id, strategies: new Map(), tokens: new Map(), countedFrom: now }
    })
  return {
    sumsOf,
    reads: () => reads,
    advance: (by: number) => {
      at += by
    },
  }
}

test('sums that took long serve again, for this organization, and until ten times as long has passed', async () => {
  const { sumsOf, reads, advance } = reading(SLOW_SUMS.fromMs + 20)
  const first = await sumsOf()
  expect(await sumsOf()).toBe(first)
  advance(SLOW_SUMS.fromMs * SLOW_SUMS.keptTimes - 1)
  expect(await sumsOf()).toBe(first)
  expect(reads()).toBe(1)
  expect((await sumsOf(2)).organizationId).toBe(2)
  advance(60_000)
  expect(await sumsOf()).not.toBe(first)
  expect(reads()).toBe(3)
})

test('sums that are read in no time are read each time', async () => {
  const { sumsOf, reads } = reading(0)
  await sumsOf()
  await sumsOf()
  expect(reads()).toBe(2)
})
