import { sql } from 'kysely'
import type { Tx } from '../database/index.ts'

/** What changed: one token of a wallet, or all of them. */
export interface EvaluationTarget {
  readonly organizationId: number
  readonly walletId: number
  readonly tokenAddress?: string | undefined
}

/**
 * Makes the operational wallets of these targets due at `at`, or leaves an earlier due time; call it in the
 * transaction of the change (contract 10). Targets that are not operational are ignored.
 */
export async function scheduleEvaluation(tx: Tx, changed: readonly EvaluationTarget[], at: Date): Promise<void> {
  if (changed.length === 0) return
  const organizations = changed.map(({ organizationId }) => organizationId)
  const wallets = changed.map(({ walletId }) => walletId)
  const tokens = changed.map(({ tokenAddress }) => tokenAddress ?? null)
  // Locked in id order, so that concurrent calls cannot deadlock.
  await sql`
    with target as (
      select o.id
      from unnest(${organizations}::bigint[], ${wallets}::bigint[], ${tokens}::text[])
        as c(organization_id, wallet_id, token_address)
      join operational_wallets o on o.organization_id = c.organization_id and o.wallet_id = c.wallet_id
        and (c.token_address is null or c.token_address = o.token_address)
    ), due as (
      select o.organization_id, o.id from operational_wallets o
      where o.id in (select id from target) and (o.due_at is null or o.due_at > ${at})
      order by o.id for update
    )
    update operational_wallets o set due_at = ${at} from due
    where o.organization_id = due.organization_id and o.id = due.id
  `.execute(tx)
}

/**
 * Makes those operational wallets of an organization due whose last evaluation paused, because a move was rejected or
 * failed and its cause has changed (contract 10). The others have nothing to gain.
 */
export async function schedulePausedEvaluations(tx: Tx, organizationId: number, at: Date): Promise<void> {
  await sql`
    with due as (
      select organization_id, id from operational_wallets
      where organization_id = ${organizationId} and last_evaluation ->> 'outcome' = 'paused'
        and (due_at is null or due_at > ${at})
      order by id for update
    )
    update operational_wallets o set due_at = ${at} from due
    where o.organization_id = due.organization_id and o.id = due.id
  `.execute(tx)
}
