import { sql } from 'kysely'
import type { Tx } from '../../database/index.ts'
import { utcDay } from '../../kernel/index.ts'
import type { OpenAllocation } from './allocation.ts'

/**
 * Writes the value and the yield of positions at the end of a day (UTC, by the chain's clock), in one statement. Writing
 * the same day again replaces its snapshot. The caller has posted the positions up to `chainTime`.
 */
export async function writeDailySnapshots(
  tx: Tx,
  allocations: readonly OpenAllocation[],
  chainTime: Date,
): Promise<void> {
  if (allocations.length === 0) return
  const day = utcDay(chainTime)
  const positions = allocations.map(({ position }) => position)
  await sql`
    insert into yield_snapshots (organization_id, allocation_id, day, value, principal, yield, cumulative_yield)
    select s.organization_id, s.allocation_id, ${day}::date, s.value, s.principal, s.cumulative - coalesce((
        select b.cumulative_yield from yield_snapshots b
        where b.organization_id = s.organization_id and b.allocation_id = s.allocation_id and b.day < ${day}::date
        order by b.day desc limit 1), 0), s.cumulative
    from unnest(${allocations.map(({ organizationId }) => organizationId)}::bigint[],
      ${allocations.map(({ allocationId }) => allocationId)}::bigint[],
      ${positions.map(({ value }) => value)}::numeric[], ${positions.map(({ principal }) => principal)}::numeric[],
      ${positions.map(({ realizedYield, value, principal }) => realizedYield + value - principal)}::numeric[])
      as s(organization_id, allocation_id, value, principal, cumulative)
    on conflict (organization_id, allocation_id, day) do update
      set value = excluded.value, principal = excluded.principal, yield = excluded.yield,
        cumulative_yield = excluded.cumulative_yield
  `.execute(tx)
}
