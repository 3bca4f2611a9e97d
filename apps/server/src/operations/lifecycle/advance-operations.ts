import { sql } from 'kysely'
import { advanceAllocationsSql } from '../../allocations/index.ts'
import { insertEventsSql, type Tx } from '../../database/index.ts'
import { assert } from '../../kernel/index.ts'
import type { LedgerEntry } from '../../ledger/index.ts'
import { requestReconciliationSql, scheduleEvaluationSql } from '../../wallets/index.ts'
import { workEnds } from './move-agent-work.ts'
import { unsubmittedFail } from './move-transactions-in-bulk.ts'
import type { Operation } from './operation.ts'
import { operationEventData } from './operation-event-data.ts'
import { isUnfinished, type OperationEvent, type Transition, transitionFor, UNFINISHED } from './operation-states.ts'
import { type Reservation, releaseEntry } from './reservation.ts'

/** An operation, and what happens to it. */
export interface TransitionRequest {
  readonly operation: Operation
  readonly event: OperationEvent
  /** `error` of its transactions that were never submitted, once the operation has ended. */
  readonly explanation?: string
  /** What really moved, in base units; with `all_final` and `landed_late`. */
  readonly settledAmount?: bigint
}

export interface AdvanceResult {
  /** The operations after their transitions, in the order of the requests; their transactions are those that were read. */
  readonly operations: readonly Operation[]
  /** Release what was held back; the caller posts them with its own entries, in one statement. */
  readonly entries: LedgerEntry[]
  /** Reservations that the caller settles with what really moved. */
  readonly reservationsToSettle: Reservation[]
}

interface ReleasedRow {
  operation_id: number
  wallet_id: number
  token_address: string
  amount: string
  covered: string
}

/**
 * Moves operations of one organization through the state machine: states, transactions that will never be sent,
 * reservations and outbox in one statement. The only code that assigns a state.
 *
 * The caller holds the wallet's lock, has read the operations under it, and posts the returned entries in the same
 * transaction. An event that means nothing in an operation's state is a programmer's error and rolls back.
 */
export async function advanceOperations(
  tx: Tx,
  requests: readonly TransitionRequest[],
  at: Date,
): Promise<AdvanceResult> {
  const first = requests[0]
  if (!first) return { operations: [], entries: [], reservationsToSettle: [] }
  const { organizationId } = first.operation
  const transitions = requests.map(requireTransition)
  const steps = requests.map((request, index) => stepOf(request, transitions[index]!))
  const { rows } = await sql<{ moved: number; released: ReleasedRow[] }>`
    with steps as (
      select * from jsonb_to_recordset(${JSON.stringify(steps)}::jsonb) as s(
        operation_id bigint, from_state text, to_state text, ended boolean, releases boolean, failure_reason text,
        settled_amount numeric(78, 0), explanation text, emits text[], data jsonb, unwinds boolean, wallet_id bigint,
        strategy_id bigint, decision text)
    ), moved as (
      update operations o set
        state = s.to_state,
        failure_reason = coalesce(s.failure_reason, o.failure_reason),
        settled_amount = coalesce(s.settled_amount, o.settled_amount),
        approved_at = case when s.decision = 'approved' then ${at}::timestamptz else o.approved_at end,
        rejected_at = case when s.decision = 'rejected' then ${at}::timestamptz else o.rejected_at end,
        completed_at = case when s.ended then ${at}::timestamptz else o.completed_at end,
        updated_at = ${at}
      from steps s
      where o.organization_id = ${organizationId} and o.id = s.operation_id and o.state = s.from_state
      returning o.id
    ), ${unsubmittedFail(organizationId)}, ${workEnds(organizationId)}, unwound as (
      -- An allocation is UNWINDING until the unwind of it ends, however it ends (contract 8).
      ${advanceAllocationsSql(
        organizationId,
        'unwind_ended',
        sql`
          select s.wallet_id, s.strategy_id from steps s
          where s.ended and s.unwinds
            -- A superseded unwind may land late, while the unwind that replaced it is unfinished.
            and not exists (select 1 from operations other where other.organization_id = ${organizationId}
              and other.wallet_id = s.wallet_id and other.strategy_id = s.strategy_id and other.type = 'UNWIND'
              and other.state = any(${[...UNFINISHED]}::text[])
              and other.id not in (select ending.operation_id from steps ending where ending.ended))`,
      )}
    ), released as (
      update reservations r set released_at = ${at}
      from steps s
      where s.releases and r.organization_id = ${organizationId} and r.operation_id = s.operation_id
        and r.released_at is null
      returning r.operation_id, r.wallet_id, r.token_address, r.amount::text, r.covered::text
    ), reconciled as (
      -- With a break open, a released amount changes what the chain is missing.
      ${requestReconciliationSql(
        organizationId,
        sql`
          select r.wallet_id from released r where exists (select 1 from ledger_breaks b
            where b.organization_id = ${organizationId} and b.wallet_id = r.wallet_id and b.closed_at is null)`,
      )}
    ), evaluated as (
      -- An operation that ended may have left too much or too little liquid (contract 10).
      ${scheduleEvaluationSql(
        sql`
          select w.organization_id, w.id from steps s
          join operational_wallets w on w.organization_id = ${organizationId} and w.wallet_id = s.wallet_id
          where s.ended`,
        at,
      )}
    ), emitted as (
      ${insertEventsSql(sql`
        select ${organizationId}::bigint, emitted.event, 'operation', s.operation_id,
          s.data || jsonb_strip_nulls(jsonb_build_object(
            'txHash', (select t.tx_hash from transactions t
              where t.organization_id = ${organizationId} and t.operation_id = s.operation_id and t.tx_hash is not null
              order by t.position desc limit 1),
            'failureCode', (select t.failure_code from transactions t
              where s.failure_reason is not null and t.organization_id = ${organizationId}
                and t.operation_id = s.operation_id and t.failure_code is not null
              order by t.position desc limit 1))), ${at}::timestamptz
        from steps s, unnest(s.emits) with ordinality as emitted(event, turn) order by s.operation_id, emitted.turn`)}
    )
    select (select count(*) from moved) as moved, coalesce((select json_agg(released) from released), '[]') as released
  `.execute(tx)
  assert(rows[0]?.moved === steps.length, 'every operation was in the state that was read under the lock')

  const released = rows[0].released.map((row) => reservationFromRow(organizationId, row))
  const settles = new Set(steps.filter((step) => step.settles).map((step) => step.operation_id))
  return {
    operations: requests.map((request, index) => operationAfter(request, transitions[index]!, at)),
    entries: released.filter((held) => !settles.has(held.operationId)).map((held) => releaseEntry(held, at)),
    reservationsToSettle: released.filter((held) => settles.has(held.operationId)),
  }
}

function requireTransition({ operation, event }: TransitionRequest): Transition {
  const transition = transitionFor(operation.state, event)
  assert(transition, `${event} means nothing to an operation that is ${operation.state}`)
  return transition
}

/** One row of the statement's `steps`. */
function stepOf({ operation, explanation, settledAmount }: TransitionRequest, transition: Transition) {
  return {
    operation_id: operation.operationId,
    from_state: transition.from,
    to_state: transition.to,
    ended: !isUnfinished(transition.to),
    releases: transition.reservation !== 'keep',
    settles: transition.reservation === 'settle',
    failure_reason: transition.failureReason ?? null,
    settled_amount: settledAmount?.toString() ?? null,
    explanation: explanation ?? null,
    emits: transition.emits ?? [],
    unwinds: operation.type === 'UNWIND',
    wallet_id: operation.walletId,
    strategy_id: operation.strategyId,
    decision: transition.decision ?? null,
    data: operationEventData(operation, transition.to, transition.failureReason, settledAmount),
  }
}

/** The operation as the statement leaves its row. */
function operationAfter({ operation, settledAmount }: TransitionRequest, transition: Transition, at: Date): Operation {
  return {
    ...operation,
    state: transition.to,
    failureReason: transition.failureReason ?? operation.failureReason,
    settledAmount: settledAmount ?? operation.settledAmount,
    approvedAt: transition.decision === 'approved' ? at : operation.approvedAt,
    rejectedAt: transition.decision === 'rejected' ? at : operation.rejectedAt,
    completedAt: isUnfinished(transition.to) ? operation.completedAt : at,
    updatedAt: at,
  }
}

function reservationFromRow(organizationId: number, row: ReleasedRow): Reservation {
  return {
    organizationId,
    operationId: row.operation_id,
    walletId: row.wallet_id,
    tokenAddress: row.token_address,
    amount: BigInt(row.amount),
    covered: BigInt(row.covered),
  }
}
