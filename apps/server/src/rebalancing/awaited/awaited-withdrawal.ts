import { sql } from 'kysely'
import type { AuditActorType } from '../../database/index.ts'
import type { Actor } from '../../identity/index.ts'
import { maxAmount, minAmount } from '../../kernel/index.ts'

/** Why nothing is deposited where a requested withdrawal waits, as a text for people: it would leave again. */
export const WITHDRAWAL_WAITS = 'a requested withdrawal waits there'

/** What a strategy could not pay at once of a withdrawal that was requested. Base units of its token. */
export interface AwaitedWithdrawal {
  readonly awaitedId: number
  readonly strategyId: number
  /** `null`: the whole position. */
  readonly amount: bigint | null
  /** What its completed operations paid. */
  readonly fetched: bigint
  readonly requestedBy: Actor
  readonly requestedAt: Date
  readonly isRejected: boolean
  /** Its operations that ended without paying since the last one that paid. */
  readonly failures: number
  /** When the last of its operations ended. */
  readonly lastEndedAt: Date | undefined
  /** The last of its operations whose amount an agent or the chain refused. */
  readonly refused: RefusedAmount | undefined
}

interface RefusedAmount {
  /** Base units. */
  readonly amount: bigint
  readonly at: Date
  /** Whether a later operation paid. */
  readonly isPaidSince: boolean
}

/** What is still to be fetched of a position of this value. */
export const restOf = ({ amount, fetched }: Pick<AwaitedWithdrawal, 'amount' | 'fetched'>, value: bigint): bigint =>
  amount === null ? value : minAmount(maxAmount(amount - fetched, 0n), value)

/** What {@link AWAITED_JSON} returns: numbers beyond 2^53 as text. */
export interface AwaitedRow {
  id: number
  strategy_id: number
  amount: string | null
  requested_by_type: AuditActorType
  requested_by_id: number
  requester_user_id: number | null
  created_at: string
  fetched: string
  is_rejected: boolean
  failures: number
  last_ended_at: string | null
  refused: { amount: string; at: string; is_paid_since: boolean } | null
}

/** An {@link AwaitedRow}, of `awaited_withdrawals a` with what its operations did. */
export const AWAITED_JSON = sql<AwaitedRow>`jsonb_build_object('id', a.id, 'strategy_id', a.strategy_id,
  'amount', a.amount::text, 'requested_by_type', a.requested_by_type, 'requested_by_id', a.requested_by_id,
  'requester_user_id', a.requester_user_id, 'created_at', a.created_at, 'fetched', coalesce(done.fetched, 0)::text,
  'is_rejected', coalesce(done.is_rejected, false), 'failures', coalesce(done.failures, 0),
  'last_ended_at', done.last_ended_at, 'refused', done.refused
    || jsonb_build_object('is_paid_since', coalesce(done.paid_id > (done.refused ->> 'id')::bigint, false)))`

/** To join to `awaited_withdrawals a` for {@link AWAITED_JSON}. A landing that comes late counts as soon as it is known. */
export const AWAITED_PROGRESS = sql`left join lateral (
  select sum(o.settled_amount) filter (where o.state = 'COMPLETED') as fetched,
    bool_or(o.state = 'REJECTED') as is_rejected, max(o.completed_at) as last_ended_at,
    count(*) filter (where o.completed_at is not null and o.id > coalesce((
      select max(p.id) from awaited_withdrawal_operations q
      join operations p on p.organization_id = q.organization_id and p.id = q.operation_id
      where q.organization_id = a.organization_id and q.awaited_id = a.id and p.state = 'COMPLETED'), 0)) as failures,
    max(o.id) filter (where o.state = 'COMPLETED') as paid_id,
    (array_agg(jsonb_build_object('id', o.id, 'amount', o.planned_value::text, 'at', o.completed_at) order by o.id desc)
      filter (where o.state = 'FAILED' and o.planned_value is not null and (o.failure_reason = 'SUBMISSION' or exists (
        select 1 from transactions t where t.organization_id = o.organization_id and t.operation_id = o.id
          and t.failure_code = 'REVERTED'))))[1] as refused
  from awaited_withdrawal_operations l
  join operations o on o.organization_id = l.organization_id and o.id = l.operation_id
  where l.organization_id = a.organization_id and l.awaited_id = a.id
) done on true`

export function awaitedFrom(row: AwaitedRow): AwaitedWithdrawal {
  const { requested_by_type: type, requested_by_id: id, requester_user_id: heldBy, refused } = row
  return {
    awaitedId: row.id,
    strategyId: row.strategy_id,
    amount: row.amount === null ? null : BigInt(row.amount),
    fetched: BigInt(row.fetched),
    requestedBy: { type, id, ...(heldBy !== null && { heldBy }) },
    requestedAt: new Date(row.created_at),
    isRejected: row.is_rejected,
    failures: row.failures,
    lastEndedAt: row.last_ended_at === null ? undefined : new Date(row.last_ended_at),
    refused: refused
      ? { amount: BigInt(refused.amount), at: new Date(refused.at), isPaidSince: refused.is_paid_since }
      : undefined,
  }
}
