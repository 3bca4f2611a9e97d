import type { Database, Tx } from '../../database/index.ts'
import { addMilliseconds, DAY_MS, Failure, utcDay } from '../../kernel/index.ts'
import { earnedSince } from '../earnings/earned-since.ts'
import { readYieldSnapshots } from '../earnings/read-yield-snapshots.ts'
import { type AllocationView, selectAllocations, toAllocationView } from './allocation-view.ts'

/** An allocation's recent earnings, in base units: in the last 1, 7 and 30 days up to now, by the chain's clock. */
export interface AllocationPerformance {
  readonly daily: bigint
  readonly weekly: bigint
  readonly monthly: bigint
}

const MONTH = 30

/** One allocation with its recent earnings (contract 7). Error: ALLOCATION_NOT_FOUND. */
export async function getAllocation(
  db: Database,
  organizationId: number,
  allocationId: number,
): Promise<{ allocation: AllocationView; performance: AllocationPerformance }> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      const row = await selectAllocations(tx, organizationId)
        .select((from) =>
          from
            .selectFrom('chain_cursors')
            .select('final_time')
            .whereRef('chain_cursors.blockchain', '=', 'wallets.blockchain')
            .as('chain_time'),
        )
        .where('allocations.id', '=', allocationId)
        .executeTakeFirst()
      if (!row) throw new Failure('ALLOCATION_NOT_FOUND', { message: 'The allocation does not exist.' })
      const allocation = toAllocationView(row)
      return { allocation, performance: await performanceOf(tx, organizationId, allocation, row.chain_time) }
    })
}

async function performanceOf(
  tx: Tx,
  organizationId: number,
  { allocationId, principal, currentValue, realizedYield, openedAt, lastUpdatedAt }: AllocationView,
  chainTime: Date | null,
): Promise<AllocationPerformance> {
  const now = chainTime !== null && chainTime > lastUpdatedAt ? chainTime : lastUpdatedAt
  const ago = (days: number) => addMilliseconds(now, -days * DAY_MS)
  const snapshots = await readYieldSnapshots(tx, organizationId, [allocationId], utcDay(ago(MONTH)))
  const readings = [
    { at: openedAt, cumulative: 0n },
    ...snapshots
      .map(({ day, cumulative }) => ({ at: endOf(day), cumulative }))
      // A snapshot of the position's last day is dated after the last reading, but has the same value.
      .filter(({ at }) => at > openedAt && at < lastUpdatedAt),
    { at: lastUpdatedAt, cumulative: realizedYield + currentValue - principal },
  ]
  const earnedIn = (days: number) => earnedSince(readings, ago(days))
  return { daily: earnedIn(1), weekly: earnedIn(7), monthly: earnedIn(MONTH) }
}
/** A snapshot is of the last block of its day. */
const endOf = (day: string): Date => new Date(Date.parse(day) + DAY_MS)
