import { sql } from 'kysely'
import type { Database } from '../../database/index.ts'
import { type AllocationView, earnedUntil } from './allocation-view.ts'

/**
 * The average amount deployed in each allocation since it was opened, in base units: its principal at the end of days,
 * weighted by time. Withdrawn principal earned part of the yield, so the yield on what is left would not be a rate.
 */
export async function averagePrincipals(
  db: Database,
  organizationId: number,
  allocations: readonly AllocationView[],
): Promise<ReadonlyMap<number, number>> {
  const past = await pastOf(
    db,
    organizationId,
    allocations.map(({ allocationId }) => allocationId),
  )
  return new Map(
    allocations.map((allocation) => {
      const { allocationId, status, openedAt } = allocation
      const { weighted, until, last } = past.get(allocationId) ?? { weighted: 0, until: openedAt, last: 0 }
      // A closed one has none left; on its last day it had what the day before ended with.
      const principal = status === 'CLOSED' ? last : Number(allocation.principal)
      const end = earnedUntil(allocation)
      const sinceThen = Math.max(0, end.getTime() - until.getTime()) / 1_000
      const seconds = Math.max(end.getTime(), until.getTime(), openedAt.getTime() + 1) - openedAt.getTime()
      return [allocationId, (weighted + principal * sinceThen) / (seconds / 1_000)]
    }),
  )
}

/**
 * Principal × seconds up to the end of the last day with a snapshot, and the principal then. One statement for a page of
 * allocations.
 */
async function pastOf(db: Database, organizationId: number, allocationIds: readonly number[]) {
  const { rows } = await sql<{ allocation_id: number; weighted: number; until: Date; last: number }>`
    select day.allocation_id, sum(day.principal * extract(epoch from day.ends - day.begins))::float8 as weighted,
      max(day.ends) as until, (array_agg(day.principal order by day.ends desc))[1]::float8 as last
    from (
      select s.allocation_id, s.principal, (s.day + 1)::timestamp at time zone 'UTC' as ends,
        greatest(a.opened_at, (lag(s.day) over (partition by s.allocation_id order by s.day) + 1)::timestamp
          at time zone 'UTC') as begins
      from yield_snapshots s
      join allocations a on a.organization_id = s.organization_id and a.id = s.allocation_id
      where s.organization_id = ${organizationId} and s.allocation_id = any(${allocationIds}::bigint[])
    ) as day
    group by day.allocation_id
  `.execute(db)
  return new Map(rows.map((row) => [row.allocation_id, row]))
}
