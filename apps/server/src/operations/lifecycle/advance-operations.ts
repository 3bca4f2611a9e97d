import { sql } from 'kysely'
import type { Tx } from '../../database/index.ts'
import { assert } from '../../kernel/index.ts'
import type { LedgerEntry } from '../../ledger/index.ts'
import type { Operation } from './operation.ts'
import { operationEventData } from './operation-event-data.ts'
import { isUnfinished, type OperationEvent, transitionFor, UNFINISHED } from './operation-states.ts'
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
  happenings: readonly TransitionRequest[],
  at: Date,
): Promise<AdvanceResult> {
  const first = happenings[0]
  if (!first) return { entries: [], reservationsToSettle: [] }
  const { organizationId } = first.operation
  const steps = happenings.map(toTransition)
  const { rows } = await sql<{ moved: number; released: ReleasedRow[] }>`
    with steps as (
      select * from jsonb_to_recordset(${JSON.stringify(steps)}::jsonb) as s(
        operation_id bigint, from_state text, to_state text, ended boolean, releases boolean, failure_reason text,
        settled_amount numeric(78, 0), explanation text, tells text[], data jsonb, unwinds boolean, wallet_id bigint,
        strategy_id bigint)
    ), moved as (
      update operations o set
        state = s.to_state,
        failure_reason = coalesce(s.failure_reason, o.failure_reason),
        settled_amount = coalesce(s.settled_amount, o.settled_amount),
        completed_at = case when s.ended then ${at}::timestamptz else o.completed_at end,
        updated_at = ${at}
      from steps s
      where o.organization_id = ${organizationId} and o.id = s.operation_id and o.state = s.from_state
      returning o.id
    ), unsent as (
      -- Of a completed one too: its approval, where another one stood already.
      update transactions t set state = 'failed', error = coalesce(s.explanation, 'The operation completed without it.')
      from steps s
      where s.ended
        and t.organization_id = ${organizationId} and t.operation_id = s.operation_id and t.state = 'unsigned'
    ), back as (
      -- An allocation is UNWINDING until the unwind of it ends, however it ends (contract 8).
      update allocations a set status = 'ACTIVE'
      from steps s
      where s.ended and s.unwinds and a.organization_id = ${organizationId} and a.wallet_id = s.wallet_id
        and a.strategy_id = s.strategy_id and a.status = 'UNWINDING'
        -- One that was superseded may land late, while the one that took its place is still waiting.
        and not exists (select 1 from operations other where other.organization_id = a.organization_id
          and other.wallet_id = a.wallet_id and other.strategy_id = a.strategy_id and other.type = 'UNWIND'
          and other.state = any(${[...UNFINISHED]}::text[])
          and other.id not in (select ending.operation_id from steps ending where ending.ended))
    ), released as (
      update reservations r set released_at = ${at}
      from steps s
      where s.releases and r.organization_id = ${organizationId} and r.operation_id = s.operation_id
        and r.released_at is null
      returning r.operation_id, r.wallet_id, r.token_address, r.amount::text, r.covered::text
    ), compared as (
      -- With a break open, what was given back decides anew what the chain is missing.
      update wallets w set reconciled_block = null
      from released r
      where w.organization_id = ${organizationId} and w.id = r.wallet_id and exists (select 1 from ledger_breaks b
        where b.organization_id = w.organization_id and b.wallet_id = w.id and b.closed_at is null)
    ), considered as (
      -- What ended may have left too much or too little liquid (contract 10).
      update operational_wallets w set due_at = ${at}
      from steps s
      where s.ended and w.organization_id = ${organizationId} and w.wallet_id = s.wallet_id
        and (w.due_at is null or w.due_at > ${at})
    ), told as (
      insert into outbox (organization_id, event, object_type, object_id, data, created_at)
      select ${organizationId}, told.event, 'operation', s.operation_id, s.data || jsonb_strip_nulls(jsonb_build_object(
          'txHash', (select t.tx_hash from transactions t
            where t.organization_id = ${organizationId} and t.operation_id = s.operation_id and t.tx_hash is not null
            order by t.position desc limit 1),
          'failureCode', (select t.failure_code from transactions t
            where s.failure_reason is not null and t.organization_id = ${organizationId}
              and t.operation_id = s.operation_id and t.failure_code is not null
            order by t.position desc limit 1))), ${at}
      from steps s, unnest(s.tells) with ordinality as told(event, turn) order by s.operation_id, told.turn
    )
    select (select count(*) from moved) as moved, coalesce((select json_agg(released) from released), '[]') as released
  `.execute(tx)
  assert(rows[0]?.moved === steps.length, 'every operation was in the state that was read under the lock')

  const released = rows[0].released.map((row) => reservationFromRow(organizationId, row))
  const settles = new Set(steps.filter((step) => step.settles).map((step) => step.operation_id))
  return {
    entries: released.filter((held) => !settles.has(held.operationId)).map((held) => releaseEntry(held, at)),
    reservationsToSettle: released.filter((held) => settles.has(held.operationId)),
  }
}

function toTransition({ operation, event, explanation, settledAmount }: TransitionRequest) {
  const transition = transitionFor(operation.state, event)
  assert(transition, `${event} means nothing to an operation that is ${operation.state}`)
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
    tells: transition.emits ?? [],
    unwinds: operation.type === 'UNWIND',
    wallet_id: operation.walletId,
    strategy_id: operation.strategyId,
    data: operationEventData(operation, transition.to, transition.failureReason, settledAmount),
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
