import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../database/index.ts'

/**
 * A recursive table expression `scheduled(organization_id, first_due_at)`: each organization whose wallets are scheduled,
 * and when the first one is due. Looks up one row for each of them, and none while nothing is due.
 */
export const scheduledOrganizations = (now: Date): RawBuilder<unknown> => sql`
  scheduled(organization_id, first_due_at) as (
    (select organization_id, due_at from operational_wallets
      where due_at is not null and exists (select from operational_wallets where due_at <= ${now})
      order by organization_id, due_at limit 1)
    union all
    select next.organization_id, next.due_at from scheduled cross join lateral (
      select organization_id, due_at from operational_wallets
      where organization_id > scheduled.organization_id and due_at is not null
      order by organization_id, due_at limit 1) next
  )`

/**
 * How long the most overdue evaluation of a wallet, of all organizations, has been due, in seconds: 0 without one. One
 * that is claimed is due when its claim lapses.
 */
export async function oldestOverdueEvaluation(db: Database, now: Date): Promise<number> {
  const { rows } = await sql<{ since: Date | null }>`
    with recursive ${scheduledOrganizations(now)}
    select min(first_due_at) as since from scheduled
    where first_due_at <= ${now}
      and exists (select from organizations o where o.id = scheduled.organization_id and o.deleted_at is null)
  `.execute(db)
  const since = rows[0]?.since
  return since ? (now.getTime() - since.getTime()) / 1_000 : 0
}
