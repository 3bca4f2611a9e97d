import {
  BATCH_SPLITS_MAX,
  Failure,
  type Log,
  outageLogsBy,
  SWEEP_PAGES_MAX,
  SWEEP_TIMEOUTS_MAX,
} from '../../kernel/index.ts'
import { isDatabaseUnavailable } from '../connections/is-database-unavailable.ts'
import { isTimeout } from '../connections/is-timeout.ts'
import type { Database } from '../handles.ts'
import { LeaseLostError } from '../queries/leased-database.ts'

export interface ItemParts {
  readonly db: Database
  readonly log: Log
}

/** Work on items that do not depend on each other. */
export interface ItemWork<T> {
  readonly job: string
  /** Identifies an item in its job, even in later runs. */
  keyOf(item: T): string
  work(item: T): Promise<void>
}

export interface Sweep<T> extends ItemWork<T> {
  /** The due items after one of them, in a fixed order; the first ones without it. */
  page(after: T | undefined): Promise<readonly T[]>
  /** A page with fewer items is the last one. */
  readonly pageSize: number
}

export interface BatchWork<T> extends ItemWork<T> {
  /** Does the work for several items in one database transaction. */
  together(items: readonly T[]): Promise<void>
}

/** A failure that does not concern one item: the database or the chain is unavailable, or another process took over. */
export function isInfrastructureFailure(error: unknown): boolean {
  if (error instanceof Failure && error.code === 'CHAIN_UNAVAILABLE') return true
  return error instanceof LeaseLostError || (isDatabaseUnavailable(error) && !isTimeout(error))
}

/** The same, or a timeout: somebody holds a lock, or the database is slow. Another item would fail in the same way. */
export const isSharedFailure = (error: unknown): boolean => isInfrastructureFailure(error) || isTimeout(error)

/**
 * Works on each item. One that fails is logged, once for each cause and once when it succeeds again, and the others
 * continue; in later runs it comes last. Throws an infrastructure failure, and the last of several timeouts: then the
 * rest waits for the next run.
 */
export async function runItems<T>(parts: ItemParts, items: readonly T[], work: ItemWork<T>): Promise<void> {
  const failures = failuresOf(parts)
  const named = items.map((item) => ({ item, part: { job: work.job, item: work.keyOf(item) } }))
  let timeouts = 0
  for (const { item, part } of named.toSorted(
    (a, b) => Number(failures.isOut(a.part)) - Number(failures.isOut(b.part)),
  )) {
    try {
      await work.work(item)
      failures.recovered(part)
    } catch (error) {
      if (isInfrastructureFailure(error)) throw error
      failures.failed(part, { err: error })
      if (isTimeout(error)) timeouts += 1
      if (timeouts >= SWEEP_TIMEOUTS_MAX) throw error
    }
  }
}

/**
 * Works on the items together, without those that failed before. If that fails, each half is worked on together, and so
 * on, until those that fail are found; these, and those that failed before, are worked on alone.
 */
export async function runBatch<T>(parts: ItemParts, items: readonly T[], work: BatchWork<T>): Promise<void> {
  const failures = failuresOf(parts)
  const failedBefore = (item: T) => failures.isOut({ job: work.job, item: work.keyOf(item) })
  const failing = await findFailing(
    items.filter((item) => !failedBefore(item)),
    work,
    { left: BATCH_SPLITS_MAX },
  )
  await runItems(parts, [...failing, ...items.filter(failedBefore)], work)
}

/** Works on the items together and returns those of the smallest parts that failed. `splits`: how many more to make. */
async function findFailing<T>(
  items: readonly T[],
  work: BatchWork<T>,
  splits: { left: number },
): Promise<readonly T[]> {
  if (items.length === 0) return []
  try {
    await work.together(items)
    return []
  } catch (error) {
    if (isInfrastructureFailure(error)) throw error
    // Every part that contains the cause of a timeout would take as long.
    if (items.length === 1 || isTimeout(error) || splits.left === 0) return items
    splits.left -= 1
    const half = Math.ceil(items.length / 2)
    const first = await findFailing(items.slice(0, half), work, splits)
    return [...first, ...(await findFailing(items.slice(half), work, splits))]
  }
}

/**
 * Works on all due items, page by page, however many of them fail. Returns how many there were. A run ends after a
 * bounded number of pages; the next run does the rest.
 */
export async function runSweep<T>(parts: ItemParts, sweep: Sweep<T>): Promise<number> {
  const failures = failuresOf(parts)
  const seen = new Set<string>()
  const suspects: T[] = []
  let after: T | undefined
  for (let page = 0; page < SWEEP_PAGES_MAX; page += 1) {
    const items = await sweep.page(after)
    const fresh = items.filter((item) => !seen.has(sweep.keyOf(item)))
    for (const item of fresh) seen.add(sweep.keyOf(item))
    const failedBefore = (item: T) => failures.isOut({ job: sweep.job, item: sweep.keyOf(item) })
    suspects.push(...fresh.filter(failedBefore))
    await runItems(
      parts,
      fresh.filter((item) => !failedBefore(item)),
      sweep,
    )
    after = items.at(-1)
    if (items.length < sweep.pageSize || fresh.length === 0) break
  }
  await runItems(parts, suspects, sweep)
  return seen.size
}

/** The items whose work failed last time, with the causes; of this process, by database. */
const outagesOfItems = outageLogsBy({
  away: 'a job failed for one item; the others continue',
  back: 'a job succeeds again for an item',
  level: 'error',
})

const failuresOf = ({ db, log }: ItemParts) => outagesOfItems(db, log)
