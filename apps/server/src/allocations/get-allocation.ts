import type { Database, Tx } from '../database/index.ts'
import { Failure } from '../kernel/index.ts'
import { type AllocationView, allocationViewOf, selectAllocations } from './allocation-view.ts'
import { earningsOf } from './earnings.ts'
import { snapshotsOf } from './snapshots-of.ts'

/** What one allocation earned lately, in base units: in the last 1, 7 and 30 days by the chain's clock, today included. */
export interface AllocationPerformance {
  readonly daily: bigint
  readonly weekly: bigint
  readonly monthly: bigint
}

const DAY_MS = 86_400_000
const MONTH = 30

/** One allocation with what it earned lately (decisions 7). Error: ALLOCATION_NOT_FOUND. */
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
      const allocation = allocationViewOf(row)
      return { allocation, performance: await performanceOf(tx, organizationId, allocation, row.chain_time) }
    })
}

async function performanceOf(
  tx: Tx,
  organizationId: number,
  { allocationId, venueName, principal, currentValue, realizedYield, lastUpdatedAt }: AllocationView,
  chainTime: Date | null,
): Promise<AllocationPerformance> {
  const readDay = dayOf(lastUpdatedAt)
  const chainDay = dayOf(chainTime ?? lastUpdatedAt)
  const today = readDay > chainDay ? readDay : chainDay
  const firstOf = (days: number) => dayOf(new Date(Date.parse(today) - (days - 1) * DAY_MS))
  const position = { allocationId, venueId: 0, venueName }
  const snapshots = await snapshotsOf(tx, organizationId, [allocationId], firstOf(MONTH))
  const now = { day: readDay, value: currentValue, cumulative: realizedYield + currentValue - principal }
  // A snapshot of the day that a closed position was read last may be dated after that reading: it is the same value.
  const readings = [...snapshots.filter(({ day }) => day <= readDay), now].map((reading) => ({
    ...reading,
    ...position,
  }))
  const earnedIn = (days: number) => earningsOf(readings, firstOf(days)).yieldEarned
  return { daily: earnedIn(1), weekly: earnedIn(7), monthly: earnedIn(MONTH) }
}

const dayOf = (time: Date): string => time.toISOString().slice(0, 10)
