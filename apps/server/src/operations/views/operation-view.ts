import { presentValue, SUBJECT_COLUMNS, type Subject, subjectOf } from '../../allocations/index.ts'
import type { Database, OperationOrigin, Tx } from '../../database/index.ts'
import type { Actor } from '../../identity/index.ts'
import { type OperationIn, publicTypeOf, requesterFrom } from '../lifecycle/states/operation.ts'
import { isUnfinished, type TerminalState, type UnfinishedState } from '../lifecycle/states/operation-states.ts'

/** The fields that a view has in every state. */
interface OperationViewFields extends Subject {
  readonly operationId: number
  readonly type: 'SUPPLY' | 'UNWIND'
  readonly executor: 'client' | 'agent'
  readonly origin: OperationOrigin
  /** Who requested it; `null` if it was planned before requesters were stored. */
  readonly requestedBy: Actor | null
  readonly requesterUserId: number | null
  readonly requesterMayApprove: boolean
  readonly requiredApprovals: number
  /** The rule that asked for them; `null`: the default of the policy, or nothing did. */
  readonly approvalRule: string | null
  /** The settled amount, or else the requested one; for a whole position that has not moved, {@link wholeAmount}. */
  readonly amount: bigint
  /** Revocations only: the allowance, in base units. They move nothing. */
  readonly revokesAllowance: bigint | null
  /** The operational wallet that it serves, or the one for its wallet and token; `null` if there is none. */
  readonly opWalletId: number | null
  /** The strategy's current rate, as a decimal fraction. */
  readonly estimatedApy: number
  /** The hash of its last transaction that has one. */
  readonly txHash: string | null
  readonly expiresAt: Date | null
  readonly createdAt: Date
}

type EndedView<State extends TerminalState> = { readonly state: State } & Pick<
  OperationIn<State>,
  'completedAt' | 'failureReason'
>

/**
 * An operation with the names of its wallet, strategy and venue, for core. Amounts in base units of its token. Its state
 * determines which other fields it has.
 */
export type OperationView = OperationViewFields &
  (
    | { readonly state: UnfinishedState }
    | (EndedView<'COMPLETED'> & Pick<OperationIn<'COMPLETED'>, 'actualApy'>)
    | EndedView<Exclude<TerminalState, 'COMPLETED'>>
  )
export type FinishedOperationView = Extract<OperationView, { readonly state: TerminalState }>

/** Selects operations of an organization with every column that {@link operationViewOf} reads. */
export function selectOperationViews(db: Database | Tx, organizationId: number) {
  return db
    .selectFrom('operations')
    .innerJoin('wallets', (join) =>
      join
        .onRef('wallets.organization_id', '=', 'operations.organization_id')
        .onRef('wallets.id', '=', 'operations.wallet_id'),
    )
    .innerJoin('strategies', 'strategies.id', 'operations.strategy_id')
    .innerJoin('venues', 'venues.id', 'strategies.venue_id')
    .leftJoin('operational_wallets', (join) =>
      join
        .onRef('operational_wallets.organization_id', '=', 'operations.organization_id')
        .onRef('operational_wallets.wallet_id', '=', 'operations.wallet_id')
        .onRef('operational_wallets.token_address', '=', 'strategies.token_address'),
    )
    .leftJoin('allocations', (join) =>
      join
        .onRef('allocations.organization_id', '=', 'operations.organization_id')
        .onRef('allocations.wallet_id', '=', 'operations.wallet_id')
        .onRef('allocations.strategy_id', '=', 'operations.strategy_id')
        .on('allocations.status', '<>', 'CLOSED')
        .on('operations.amount', 'is', null)
        .on('operations.settled_amount', 'is', null),
    )
    .where('operations.organization_id', '=', organizationId)
    .selectAll('operations')
    .select([
      ...SUBJECT_COLUMNS,
      'operational_wallets.id as watched_as',
      'strategies.apy',
      'strategies.price',
      'strategies.price_at',
      'allocations.shares',
      'allocations.posted_price',
      'allocations.posted_value',
      'allocations.posted_at',
    ])
    .select(({ exists, selectFrom, lit }) =>
      exists(
        selectFrom('transactions')
          .select(lit(1).as('one'))
          .whereRef('transactions.organization_id', '=', 'operations.organization_id')
          .whereRef('transactions.operation_id', '=', 'operations.id')
          .where('transactions.kind', '=', 'exit_claim'),
      ).as('is_claim'),
    )
    .select((outer) =>
      outer
        .selectFrom('transactions')
        .select('transactions.tx_hash')
        .whereRef('transactions.organization_id', '=', 'operations.organization_id')
        .whereRef('transactions.operation_id', '=', 'operations.id')
        .where('transactions.tx_hash', 'is not', null)
        .orderBy('transactions.position', 'desc')
        .limit(1)
        .as('tx_hash'),
    )
}

/** A row of {@link selectOperationViews}. */
export type OperationViewRow = Awaited<ReturnType<ReturnType<typeof selectOperationViews>['execute']>>[number]

export function operationViewOf(row: OperationViewRow): OperationView {
  const { state } = row
  const fields = {
    operationId: row.id,
    type: publicTypeOf(row.type),
    executor: row.executor,
    origin: row.origin,
    requestedBy: requesterFrom(row),
    requesterUserId: row.requester_user_id,
    requesterMayApprove: row.requester_may_approve,
    requiredApprovals: row.required_approvals,
    approvalRule: row.approval_rule,
    revokesAllowance: row.type === 'REVOKE' ? row.amount : null,
    amount: row.type === 'REVOKE' ? 0n : (row.settled_amount ?? row.amount ?? wholeAmount(row)),
    opWalletId: row.op_wallet_id ?? row.watched_as,
    ...subjectOf(row),
    estimatedApy: row.apy,
    txHash: row.tx_hash,
    expiresAt: row.expires_at,
    createdAt: row.created_at,
  }
  if (isUnfinished(state)) return { ...fields, state }
  const completedAt = row.completed_at!
  return state === 'COMPLETED'
    ? { ...fields, state, completedAt, failureReason: row.failure_reason, actualApy: row.actual_apy }
    : { ...fields, state, completedAt, failureReason: row.failure_reason! }
}

/**
 * What a claim was planned to bring. For a full withdrawal the current value; once it ended without moving anything, the
 * value when it was planned, which operations from before that was stored lack.
 */
function wholeAmount(row: OperationViewRow): bigint {
  if (row.is_claim) return row.planned_value ?? 0n
  return (isUnfinished(row.state) ? null : row.planned_value) ?? positionValue(row)
}

/** The current value of the whole position; 0 once it is closed. */
function positionValue({ shares, posted_price, posted_value, posted_at, ...catalogue }: OperationViewRow): bigint {
  if (shares === null || posted_price === null || posted_value === null || posted_at === null) return 0n
  return presentValue({ ...catalogue, shares, posted_price, posted_value, posted_at }).value
}
