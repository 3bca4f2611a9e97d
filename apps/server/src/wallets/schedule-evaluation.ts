import { type RawBuilder, sql } from 'kysely'
import { batchedEffect, type Tx } from '../database/index.ts'
import { addMilliseconds, EVALUATION_CLAIM_MS } from '../kernel/index.ts'

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
  const targets = sql`
    select o.organization_id, o.id
    from unnest(${organizations}::bigint[], ${wallets}::bigint[], ${tokens}::text[])
      as c(organization_id, wallet_id, token_address)
    join operational_wallets o on o.organization_id = c.organization_id and o.wallet_id = c.wallet_id
      and (c.token_address is null or c.token_address = o.token_address)`
  await scheduleEvaluationSql(targets, at).execute(tx)
}

/** {@link scheduleEvaluation}, for one of several works. */
export const SCHEDULE_EVALUATION = batchedEffect<{ readonly changed: readonly EvaluationTarget[]; readonly at: Date }>(
  async (tx, calls) => {
    const changed = calls.flatMap((call) => call.changed)
    await scheduleEvaluation(tx, changed, calls[0]!.at)
  },
)

/**
 * The same as part of a larger statement, and for a room that selects by its own rules. `targets` is a query of
 * organizations and operational wallet ids. Locks rows in id order, so that concurrent calls cannot deadlock.
 *
 * Locks those that are due already too: until the change commits, nobody claims them, and an evaluation that began
 * before it waits with its release. Otherwise it would miss the change, and the wallet would no longer be due.
 */
export function scheduleEvaluationSql(targets: RawBuilder<unknown>, at: Date): RawBuilder<unknown> {
  return sql`
    with locked as (
      select o.organization_id, o.id, o.due_at from operational_wallets o
      where (o.organization_id, o.id) in (${targets})
      order by o.id for update
    )
    update operational_wallets o set due_at = ${at}::timestamptz from locked
    where o.organization_id = locked.organization_id and o.id = locked.id
      and (locked.due_at is null or locked.due_at > ${at}::timestamptz)`
}

/** Schedules every operational wallet of one token of an organization at `at`, or earlier if it is due before. */
export async function scheduleTokenEvaluations(
  tx: Tx,
  { organizationId, tokenAddress }: { readonly organizationId: number; readonly tokenAddress: string },
  at: Date,
): Promise<void> {
  const targets = sql`
    select organization_id, id from operational_wallets
    where organization_id = ${organizationId} and token_address = ${tokenAddress}`
  await scheduleEvaluationSql(targets, at).execute(tx)
}

/** Schedules every operational wallet of an organization at `at`, or earlier if it is due before. */
export async function scheduleOrganizationEvaluations(tx: Tx, organizationId: number, at: Date): Promise<void> {
  const targets = sql`select organization_id, id from operational_wallets where organization_id = ${organizationId}`
  await scheduleEvaluationSql(targets, at).execute(tx)
}

/**
 * Makes those operational wallets of an organization due whose last evaluation paused, because a move was rejected or
 * failed and its cause has changed (contract 10), or whose evaluation is under way and may pause. The others have nothing
 * to gain. The text of an evaluation decides only where an earlier version wrote it.
 */
export async function schedulePausedEvaluations(tx: Tx, organizationId: number, at: Date): Promise<void> {
  await sql`
    with locked as (
      select organization_id, id, due_at from operational_wallets
      where organization_id = ${organizationId}
        and (coalesce(last_outcome, last_evaluation ->> 'outcome') = 'paused' or due_at <= ${addMilliseconds(at, EVALUATION_CLAIM_MS)})
      order by id for update
    )
    update operational_wallets o set due_at = ${at} from locked
    where o.organization_id = locked.organization_id and o.id = locked.id
      and (locked.due_at is null or locked.due_at > ${at})
  `.execute(tx)
}
