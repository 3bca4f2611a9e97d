import { sql } from 'kysely'
import type { Database, Tx } from '../handles.ts'

/** What to count. Omitted filters match everything. */
export interface CounterQuery {
  readonly entity: 'operations' | 'wallets' | 'allocations'
  readonly organizationId: number
  /** `null`: all profiles. */
  readonly walletProfileId: number | null
  /** An operation's type, a wallet's blockchain, an allocation's token. */
  readonly kinds?: readonly string[] | undefined
  readonly states?: readonly string[] | undefined
}

/** The exact count as of the statement that includes it: one row with `total`. */
export function selectCount(
  db: Database | Tx,
  { entity, organizationId, walletProfileId, kinds, states }: CounterQuery,
) {
  let query = db
    .selectFrom('counters')
    .select(sql<number>`coalesce(sum(counters.amount), 0)::bigint`.as('total'))
    .where('counters.organization_id', '=', organizationId)
    .where('counters.entity', '=', entity)
  if (walletProfileId !== null) query = query.where('counters.wallet_profile_id', '=', walletProfileId)
  if (kinds !== undefined) query = query.where('counters.kind', 'in', kinds)
  if (states !== undefined) query = query.where('counters.state', 'in', states)
  return query
}

/**
 * Compacts the rows added since the last run into one row per count, and per sum of completed operations. Readers see a
 * compaction entirely or not at all; concurrent ones take different rows, because a row taken by the other is already
 * gone.
 */
export async function compactCounters(db: Database): Promise<void> {
  await sql`
    with taken as (
      delete from counters t using (
        select organization_id, wallet_profile_id, entity, kind, state from counters
        group by organization_id, wallet_profile_id, entity, kind, state having count(*) > 1
      ) many
      where t.organization_id = many.organization_id and t.wallet_profile_id = many.wallet_profile_id
        and t.entity = many.entity and t.kind = many.kind and t.state = many.state
      returning t.*
    )
    insert into counters (organization_id, wallet_profile_id, entity, kind, state, amount)
    select organization_id, wallet_profile_id, entity, kind, state, sum(amount) from taken
    group by organization_id, wallet_profile_id, entity, kind, state having sum(amount) <> 0
  `.execute(db)
  await sql`
    with taken as (
      delete from operation_sums t using (
        select organization_id, strategy_id, type from operation_sums
        group by organization_id, strategy_id, type having count(*) > 1
      ) many
      where t.organization_id = many.organization_id and t.strategy_id = many.strategy_id and t.type = many.type
      returning t.*
    )
    insert into operation_sums (organization_id, strategy_id, type, completed, moved, milliseconds)
    select organization_id, strategy_id, type, sum(completed), sum(moved), sum(milliseconds) from taken
    group by organization_id, strategy_id, type
  `.execute(db)
}
