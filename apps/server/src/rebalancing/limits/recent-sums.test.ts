import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Database } from '../../database/index.ts'
import { KEPT_SUMS } from '../../kernel/index.ts'
import { recentSums } from './recent-sums.ts'

/** Counts its reads; each takes some milliseconds, and adds up so many positions. */
function reading(positions: number) {
  let at = 1_000_000_000
  let reads = 0
  const parts = { db: {} as Database, clock: { now: () => new Date(at) } }
  const sumsOf = (organizationId = 1) =>
    recentSums(parts, organizationId, async (_db, id, completedFrom) => {
      reads += 1
      await delay(20)
      return { organizationId: id, strategies: new Map(), tokens: new Map(), completedFrom, positions }
    })
  return {
    sumsOf,
    reads: () => reads,
    advance: (by: number) => {
      at += by
    },
  }
}

test('sums of very many positions serve again, for this organization, until ten times as long has passed', async () => {
  const { sumsOf, reads, advance } = reading(KEPT_SUMS.positions)
  const first = await sumsOf()
  advance(15 * KEPT_SUMS.times)
  expect(await sumsOf()).toBe(first)
  expect((await sumsOf(2)).organizationId).toBe(2)
  expect(reads()).toBe(2)
  advance(KEPT_SUMS.maxMs)
  expect(await sumsOf()).not.toBe(first)
})

test('after the clock was set back, sums are read again', async () => {
  const { sumsOf, reads, advance } = reading(KEPT_SUMS.positions)
  await sumsOf()
  advance(-86_400_000)
  await sumsOf()
  expect(reads()).toBe(2)
})

test('sums of fewer positions are read each time', async () => {
  const { sumsOf, reads } = reading(KEPT_SUMS.positions - 1)
  await sumsOf()
  await sumsOf()
  expect(reads()).toBe(2)
})
