import { sql } from 'kysely'
import type { Database, Tx } from '../../database/index.ts'
import type { YieldReading } from './compute-earnings.ts'

/** The snapshots of the period, and the last one of each position before it; in day order. */
export async function readYieldSnapshots(
  db: Database | Tx,
  organizationId: number,
  allocationIds: readonly number[],
  from: string,
): Promise<Pick<YieldReading, 'allocationId' | 'day' | 'value' | 'cumulative'>[]> {
  if (allocationIds.length === 0) return []
  const { rows } = await sql<{ allocation_id: number; day: string; value: bigint; cumulative_yield: bigint }>`
    select s.allocation_id, s.day, s.value, s.cumulative_yield
    from unnest(${allocationIds}::bigint[]) as requested(id)
    cross join lateral (
      select coalesce(max(b.day), ${from}::date) as since from yield_snapshots b
      where b.organization_id = ${organizationId} and b.allocation_id = requested.id and b.day < ${from}::date
    ) as before
    join yield_snapshots s
      on s.organization_id = ${organizationId} and s.allocation_id = requested.id and s.day >= before.since
    order by s.day, s.allocation_id
  `.execute(db)
  return rows.map((row) => ({
    allocationId: row.allocation_id,
    day: row.day,
    value: row.value,
    cumulative: row.cumulative_yield,
  }))
}
