import { sql } from 'kysely'
import { type Database, type EvaluationOutcome, preparedQuery, publishMilestone, type Tx } from '../database/index.ts'
import { addMilliseconds, EVALUATION_CLAIM_MS } from '../kernel/index.ts'
import type { OperationalWallet } from './operational-wallet.ts'
import { scheduledOrganizations } from './overdue-evaluations.ts'

/** A claimed operational wallet that is due for evaluation, and how long the claim excludes other processes. */
export interface EvaluationClaim {
  readonly organizationId: number
  readonly opWalletId: number
  /** `renewClaims` moves it on. */
  until: Date
  /** What `until` becomes, or has become, by a renewal that did not respond yet, or failed. */
  next?: Date | undefined
}

/**
 * Claims due wallets, at most about `limit`: of each organization with any its share, longest due first, so that one with
 * a million due wallets delays nobody else. Concurrent callers get different ones. One statement, which looks up one row
 * for each organization whose wallets are scheduled, and none while nothing is due.
 */
export async function claimEvaluations(db: Database, now: Date, limit: number): Promise<EvaluationClaim[]> {
  const until = addMilliseconds(now, EVALUATION_CLAIM_MS)
  const { rows } = await sql<{ organization_id: number; id: number }>`
    with recursive ${scheduledOrganizations(now)}, waiting as materialized (
      select organization_id from scheduled
      where first_due_at <= ${now}
        and exists (select from organizations o where o.id = scheduled.organization_id and o.deleted_at is null)
      order by first_due_at limit ${limit}
    ), due as materialized (
      select found.organization_id, found.id from waiting cross join lateral (
        select ow.organization_id, ow.id from operational_wallets ow
        where ow.organization_id = waiting.organization_id and ow.due_at <= ${now}
        order by ow.due_at, ow.id
        limit ${limit}::int / (select count(*) from waiting)
        for update skip locked) found
    )
    update operational_wallets ow set due_at = ${until}
    from due where ow.organization_id = due.organization_id and ow.id = due.id
    returning ow.organization_id, ow.id
  `.execute(db)
  return rows.map((row) => ({ organizationId: row.organization_id, opWalletId: row.id, until }))
}

/** What people set for an operational wallet. */
export type WalletSettings = Pick<OperationalWallet, 'enableYield' | 'buffer'>

const claimedUntil = preparedQuery(
  'claimed until',
  (db, place: (name: keyof EvaluationClaim | keyof WalletSettings) => never) =>
    db
      .selectFrom('operational_wallets')
      .select((is) =>
        is
          .and([is('enable_yield', '=', place('enableYield')), is('buffer_amount', '=', place('buffer'))])
          .as('is_unchanged'),
      )
      .where('organization_id', '=', place('organizationId'))
      .where('id', '=', place('opWalletId'))
      .where((is) => is.or([is('due_at', '<=', place('until')), is('due_at', '=', place('next'))]))
      .forShare(),
)

/**
 * Locks a wallet with these settings until the transaction ends. `changed`: people set others since. `lost`: another
 * process claimed it since, and one that hung for longer than its claim must not act on what it read before. A schedule
 * within the claim only brings `due_at` forward.
 */
export async function lockClaimed(
  tx: Tx,
  claim: EvaluationClaim,
  { enableYield, buffer }: WalletSettings,
): Promise<'held' | 'changed' | 'lost'> {
  for (;;) {
    const { organizationId, opWalletId, until, next } = claim
    const asked = { organizationId, opWalletId, until, next: next ?? until, enableYield, buffer }
    const [row] = await claimedUntil(tx, asked)
    if (row) return row.is_unchanged ? 'held' : 'changed'
    // A renewal that began since the question was sent may be what it found.
    if (claim.until === until && claim.next === next) return 'lost'
  }
}

/** The result of an evaluation. */
export interface EvaluationResult {
  readonly claim: EvaluationClaim
  /** When to evaluate again; `null`: only when something schedules it. */
  readonly nextDueAt: Date | null
  /** How often in a row nothing could be planned, for the same cause. */
  readonly failures: number
  readonly note: { readonly outcome: EvaluationOutcome; readonly text: string }
  /**
   * `short`: the wallet holds less than its buffer, and its positions or exits hold something. `unfunded`: none does.
   * Undefined: the evaluation did not find out.
   */
  readonly buffer?: 'full' | 'short' | 'unfunded'
}

/**
 * Releases claims with their results. An evaluation that was scheduled meanwhile stays scheduled. A result is dropped if
 * another process claimed the wallet since: that one has read more. Keeps since when a wallet is below its buffer, and
 * publishes `buffer restored` for one that no longer is. One statement.
 */
export async function releaseClaims(db: Database, results: readonly EvaluationResult[], now: Date): Promise<void> {
  if (results.length === 0) return
  const rows = results.map(({ claim, nextDueAt, failures, note, buffer }) => ({
    organization_id: claim.organizationId,
    id: claim.opWalletId,
    until: claim.until.toISOString(),
    next: claim.next?.toISOString() ?? null,
    again: nextDueAt?.toISOString() ?? null,
    failures,
    note: { at: now.toISOString(), ...note },
    buffer: buffer ?? null,
  }))
  const { rows: restored } = await sql<{ organization_id: number; id: number; short_since: Date }>`
    with looked as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as l(organization_id bigint, id bigint, until timestamptz, next timestamptz, again timestamptz, failures integer, note jsonb, buffer text)
    ), locked as (
      select ow.organization_id, ow.id, ow.short_since from operational_wallets ow
      join looked l on l.organization_id = ow.organization_id and l.id = ow.id
      where ow.due_at <= l.until or ow.due_at = l.next order by ow.id for update of ow
    ), released as (
      update operational_wallets ow set
        due_at = case when ow.due_at = l.until or ow.due_at = l.next then l.again else ow.due_at end,
        rebalance_failures = l.failures,
        last_evaluation = l.note,
        last_outcome = l.note ->> 'outcome',
        short_since = case l.buffer when 'short' then coalesce(ow.short_since, ${now}::timestamptz)
          when 'full' then null when 'unfunded' then null else ow.short_since end
      from looked l, locked
      where ow.organization_id = l.organization_id and ow.id = l.id
        and ow.organization_id = locked.organization_id and ow.id = locked.id
    )
    select locked.organization_id, locked.id, locked.short_since from locked
    join looked on looked.organization_id = locked.organization_id and looked.id = locked.id
    where locked.short_since is not null and looked.buffer = 'full'
  `.execute(db)
  for (const { organization_id: organizationId, id: opWalletId, short_since: since } of restored) {
    const seconds = Math.max(0, (now.getTime() - since.getTime()) / 1_000)
    publishMilestone(db, { name: 'buffer restored', facts: { organizationId, opWalletId, seconds } })
  }
}
