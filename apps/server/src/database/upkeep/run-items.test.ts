import { pino } from 'pino'
import { beforeEach, expect, test } from 'vitest'
import { BATCH_SPLITS_MAX, Failure, SWEEP_TIMEOUTS_MAX } from '../../kernel/index.ts'
import type { Database } from '../handles.ts'
import { runBatch, runItems, runSweep } from './run-items.ts'

let logged: string[] = []
let parts: Parameters<typeof runItems>[0]
/** The items that fail, with their errors. */
let failing = new Map<number, Error>()
let done: number[] = []

beforeEach(() => {
  logged = []
  failing = new Map()
  done = []
  const log = pino({ base: null }, { write: (line: string) => void logged.push(JSON.parse(line).item) })
  // Only its identity counts: the work itself reads and writes.
  parts = { db: {} as Database, log }
})

const work = {
  job: 'count',
  keyOf: String,
  work: async (item: number) => {
    const error = failing.get(item)
    if (error) throw error
    done.push(item)
  },
}
const timeout = () => Object.assign(new Error('canceling statement'), { code: '57014' })

test('an item that fails is logged once for each cause, comes last from then on, and does not delay the others', async () => {
  failing.set(1, new Error('spoiled'))
  for (let round = 0; round < 3; round += 1) await runItems(parts, [1, 2, 3], work)
  expect(done).toEqual([2, 3, 2, 3, 2, 3])
  expect(logged).toEqual(['1'])
  failing.set(1, new Error('spoiled again'))
  await runItems(parts, [1], work)
  expect(logged).toEqual(['1', '1'])
  done = []
  failing.clear()
  await runItems(parts, [1, 2], work)
  await runItems(parts, [1, 2], work)
  expect(done).toEqual([2, 1, 1, 2])
  expect(logged, 'and once when it succeeds').toEqual(['1', '1', '1'])
})

test('an unavailable chain or database ends the run, because it concerns every item', async () => {
  for (const error of [
    new Failure('CHAIN_UNAVAILABLE'),
    Object.assign(new Error('starting up'), { code: '57P03' }),
    new Error('Connection terminated unexpectedly'),
  ]) {
    done = []
    failing = new Map([[2, error]])
    await expect(runItems(parts, [1, 2, 3], work)).rejects.toBe(error)
    expect(done).toEqual([1])
  }
  expect(logged).toEqual([])
})

test('an item that times out does not delay the others; so many of them end the run, and come last in the next', async () => {
  failing.set(1, timeout())
  await runItems(parts, [1, 2], work)
  expect(done).toEqual([2])
  for (let item = 1; item <= SWEEP_TIMEOUTS_MAX; item += 1) failing.set(item, timeout())
  done = []
  await expect(runItems(parts, [1, 2, 3, 4], work)).rejects.toMatchObject({ code: '57014' })
  await expect(runItems(parts, [1, 2, 3, 4], work)).rejects.toMatchObject({ code: '57014' })
  expect(done).toContain(4)
})

/** Work on many items at once, and the batches that were tried. */
function batchWork() {
  const batches: number[][] = []
  const together = async (items: readonly number[]) => {
    batches.push([...items])
    const cause = items.find((item) => failing.has(item))
    if (cause !== undefined) throw failing.get(cause)
    done.push(...items)
  }
  return { batches, batch: { ...work, together } }
}

test('a batch with a bad item is halved until that item is found, and next time done without it', async () => {
  const { batches, batch } = batchWork()
  failing.set(2, new Error('spoiled'))
  await runBatch(parts, [1, 2, 3], batch)
  expect(done).toEqual([1, 3])
  done = []
  await runBatch(parts, [1, 2, 3], batch)
  expect(done).toEqual([1, 3])
  expect(batches).toEqual([[1, 2, 3], [1, 2], [1], [2], [3], [1, 3]])
})

test('one bad item among a thousand costs some twenty batches; a thousand bad ones cost little more than each alone', async () => {
  const { batches, batch } = batchWork()
  const items = Array.from({ length: 1_000 }, (_, index) => index)
  failing.set(617, new Error('spoiled'))
  await runBatch(parts, items, batch)
  expect(done.toSorted((a, b) => a - b)).toEqual(items.filter((item) => item !== 617))
  expect(batches.length).toBeLessThanOrEqual(21)
  for (const item of items) failing.set(item, new Error('spoiled'))
  batches.length = 0
  await runBatch(parts, items, batch)
  expect(batches.length).toBeLessThanOrEqual(2 * BATCH_SPLITS_MAX + 1)
})

test('a batch that times out is not halved: each part with the cause would take as long', async () => {
  const { batches, batch } = batchWork()
  failing.set(2, timeout())
  await runBatch(parts, [1, 2, 3, 4], batch)
  expect([batches, done]).toEqual([[[1, 2, 3, 4]], [1, 3, 4]])
})

test('a sweep passes any run of bad items, page by page', async () => {
  const due = Array.from({ length: 11 }, (_, index) => index + 1)
  for (const item of due.slice(0, 7)) failing.set(item, new Error('spoiled'))
  const sweep = {
    ...work,
    pageSize: 2,
    page: async (after = 0) => due.filter((item) => item > after).slice(0, 2),
  }
  expect(await runSweep(parts, sweep)).toBe(11)
  expect(done).toEqual([8, 9, 10, 11])
  failing.clear()
  done = []
  await runSweep(parts, sweep)
  expect(done.toSorted((a, b) => a - b)).toEqual(due)
})

test('a sweep whose pages do not advance ends', async () => {
  expect(await runSweep(parts, { ...work, pageSize: 2, page: async () => [1, 2] })).toBe(2)
})
