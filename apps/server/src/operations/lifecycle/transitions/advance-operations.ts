import { type RawBuilder, sql } from 'kysely'
import { advanceAllocationsSql } from '../../../allocations/index.ts'
import { type BatchedCall, insertEventsSql, type Tx } from '../../../database/index.ts'
import { assert } from '../../../kernel/index.ts'
import type { LedgerEntry } from '../../../ledger/index.ts'
import { requestReconciliationSql, scheduleEvaluationSql } from '../../../wallets/index.ts'
import { insertLeftAllowancesSql } from '../records/left-allowances.ts'
import { operationEventData } from '../records/operation-event-data.ts'
import { recordAdvanced } from '../records/record-steps.ts'
import { type Reservation, releaseEntry } from '../records/reservation.ts'
import type { Operation, StoredOperation } from '../states/operation.ts'
import {
  isUnfinished,
  type OperationEvent,
  type Transition,
  transitionFor,
  UNFINISHED,
} from '../states/operation-states.ts'
import { endAgentWorkSql } from './advance-agent-work.ts'
import { failUnsubmittedSql } from './advance-transactions-in-bulk.ts'

/** An operation and the event to apply to it. */
export interface TransitionRequest {
  readonly operation: Operation
  readonly event: OperationEvent
  /** The `error` of its transactions that were never submitted, if the event ends the operation. */
  readonly explanation?: string
  /** The amount that moved on chain, in base units; for `all_final` and `landed_late`. */
  readonly settledAmount?: bigint
}

export interface AdvanceResult {
  /** The operations after their transitions, in the order of the requests. Their transactions are not read again. */
  readonly operations: readonly Operation[]
  /** Releases of reservations. The caller posts them in one statement with its own entries. */
  readonly entries: LedgerEntry[]
  /** Reservations that the caller settles with the amount that moved. */
  readonly reservationsToSettle: Reservation[]
}

interface ReleasedRow {
  organization_id: number
  operation_id: number
  wallet_id: number
  token_address: string
  amount: string
  covered: string
}

/**
 * Applies events to operations, of any organizations: states, transactions that will never be sent, agent work,
 * reservations and outbox change in one statement. No other code assigns an operation's state.
 *
 * The caller holds the wallet's lock, has read the operations under it, and posts the returned entries in the same
 * database transaction. An event without a transition from the operation's state is a defect and rolls back.
 */
export async function advanceOperations(
  tx: Tx,
  requests: readonly TransitionRequest[],
  at: Date,
): Promise<AdvanceResult> {
  const first = requests[0]
  if (!first) return { operations: [], entries: [], reservationsToSettle: [] }
  const organization = organizationSql(requests)
  const transitions = requests.map(requireTransition)
  const steps = requests.map((request, index) => stepOf(request, transitions[index]!))
  const { rows } = await sql<{ moved: number; released: ReleasedRow[] }>`
    with steps as (
      select * from jsonb_to_recordset(${JSON.stringify(steps)}::jsonb) as s(
        organization_id bigint, operation_id bigint, from_state text, to_state text, ended boolean, releases boolean, failure_reason text,
        settled_amount numeric(78, 0), explanation text, emits text[], data jsonb, unwinds boolean, supplies boolean,
        wallet_id bigint, strategy_id bigint, decision text)
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
      where o.organization_id = ${organization} and o.id = s.operation_id and o.state = s.from_state
      returning o.id
    ), ${failUnsubmittedSql(organization)}, ${endAgentWorkSql(organization)}, unwound as (
      -- An allocation is UNWINDING until its unwind ends, in whatever state (contract 8).
      ${advanceAllocationsSql(
        'unwind_ended',
        sql`
          select ${organization}, s.wallet_id, s.strategy_id from steps s
          where s.ended and s.unwinds
            -- A superseded unwind may land late while the unwind that replaced it is unfinished.
            and not exists (select 1 from operations other where other.organization_id = ${organization}
              and other.wallet_id = s.wallet_id and other.strategy_id = s.strategy_id and other.type = 'UNWIND'
              and other.state = any(${[...UNFINISHED]}::text[])
              and other.id not in (select ending.operation_id from steps ending where ending.ended))`,
      )}
    ), left_behind as (
      ${insertLeftAllowancesSql(organization, at)}
    ), released as (
      update reservations r set released_at = ${at}
      from steps s
      where s.releases and r.organization_id = ${organization} and r.operation_id = s.operation_id
        and r.released_at is null
      returning r.organization_id, r.operation_id, r.wallet_id, r.token_address, r.amount::text, r.covered::text
    ), reconciled as (
      -- While a break is open, a release changes the difference between ledger and chain.
      ${requestReconciliationSql(
        sql`
          select r.organization_id, r.wallet_id from released r where exists (select 1 from ledger_breaks b
            where b.organization_id = r.organization_id and b.wallet_id = r.wallet_id and b.closed_at is null)`,
      )}
    ), evaluated as (
      -- The end of an operation may leave the wallet with too much or too little liquidity (contract 10).
      ${scheduleEvaluationSql(
        sql`
          select w.organization_id, w.id from steps s
          join operational_wallets w on w.organization_id = ${organization} and w.wallet_id = s.wallet_id
          where s.ended`,
        at,
      )}
    ), emitted as (
      ${insertEventsSql(sql`
        select ${organization}, emitted.event, 'operation', s.operation_id,
          s.data || jsonb_strip_nulls(jsonb_build_object(
            'txHash', (select t.tx_hash from transactions t
              where t.organization_id = ${organization} and t.operation_id = s.operation_id and t.tx_hash is not null
              order by t.position desc limit 1),
            'failureCode', (select t.failure_code from transactions t
              where s.failure_reason is not null and t.organization_id = ${organization}
                and t.operation_id = s.operation_id and t.failure_code is not null
              order by t.position desc limit 1))), ${at}::timestamptz
        from steps s, unnest(s.emits) with ordinality as emitted(event, turn) order by s.operation_id, emitted.turn`)}
    )
    select (select count(*) from moved) as moved, coalesce((select json_agg(released) from released), '[]') as released
  `.execute(tx)
  assert(rows[0]?.moved === steps.length, 'every operation is still in the state that was read under the lock')
  for (const [index, { operation }] of requests.entries()) recordAdvanced(tx, operation, transitions[index]!)

  const released = rows[0].released.map(reservationFromRow)
  const settles = new Set(steps.filter((step) => step.settles).map((step) => step.operation_id))
  return {
    operations: requests.map((request, index) => operationAfter(request, transitions[index]!, at)),
    entries: released.filter(({ operationId }) => !settles.has(operationId)).map((each) => releaseEntry(each, at)),
    reservationsToSettle: released.filter(({ operationId }) => settles.has(operationId)),
  }
}

interface Advance {
  readonly requests: readonly TransitionRequest[]
  readonly at: Date
}

/** {@link advanceOperations}, for one of several works. */
export const ADVANCE_OPERATIONS: BatchedCall<Advance, AdvanceResult> = {
  async run(tx, calls) {
    const { operations, ...rest } = await advanceOperations(
      tx,
      calls.flatMap(({ requests }) => requests),
      calls[0]!.at,
    )
    const after = new Map(operations.map((operation) => [operation.operationId, operation]))
    return calls.map(({ requests }) => {
      const own = new Set(requests.map(({ operation }) => operation.operationId))
      const isOwn = ({ operationId }: { readonly operationId?: number }) =>
        operationId !== undefined && own.has(operationId)
      return {
        operations: requests.map(({ operation }) => after.get(operation.operationId)!),
        entries: rest.entries.filter(isOwn),
        reservationsToSettle: rest.reservationsToSettle.filter(isOwn),
      }
    })
  },
}

/**
 * The organization of a row of `steps`. A constant if there is only one: a database that is distributed by organization
 * then sends the statement to one node.
 */
function organizationSql(requests: readonly TransitionRequest[]): RawBuilder<unknown> {
  const organizations = new Set(requests.map(({ operation }) => operation.organizationId))
  const [only] = organizations
  return organizations.size === 1 ? sql`${only}::bigint` : sql`s.organization_id`
}

function requireTransition({ operation, event }: TransitionRequest): Transition {
  const transition = transitionFor(operation.state, event)
  assert(transition, `an operation that is ${operation.state} has no event ${event}`)
  return transition
}

/** One row of the statement's `steps`. */
function stepOf({ operation, explanation, settledAmount }: TransitionRequest, transition: Transition) {
  return {
    organization_id: operation.organizationId,
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
    supplies: operation.type === 'SUPPLY',
    wallet_id: operation.walletId,
    strategy_id: operation.strategyId,
    decision: transition.decision ?? null,
    data: operationEventData(operation, transition.to, transition.failureReason, settledAmount),
  }
}

/** The operation as the statement leaves it. */
function operationAfter({ operation, settledAmount }: TransitionRequest, transition: Transition, at: Date): Operation {
  const before = operation as StoredOperation
  const after: StoredOperation = {
    ...before,
    state: transition.to,
    failureReason: transition.failureReason ?? before.failureReason,
    settledAmount: settledAmount ?? before.settledAmount,
    approvedAt: transition.decision === 'approved' ? at : before.approvedAt,
    rejectedAt: transition.decision === 'rejected' ? at : before.rejectedAt,
    completedAt: isUnfinished(transition.to) ? before.completedAt : at,
    updatedAt: at,
  }
  return after as Operation
}

function reservationFromRow(row: ReleasedRow): Reservation {
  return {
    organizationId: row.organization_id,
    operationId: row.operation_id,
    walletId: row.wallet_id,
    tokenAddress: row.token_address,
    amount: BigInt(row.amount),
    covered: BigInt(row.covered),
  }
}
