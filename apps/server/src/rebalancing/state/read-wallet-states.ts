import { type RawBuilder, type Selectable, sql } from 'kysely'
import type {
  Database,
  EvaluationOutcome,
  MovePurpose,
  OperationState,
  OperationType,
  Schema,
} from '../../database/index.ts'
import { addMilliseconds, REBALANCE_AFTER_REJECTION_MS } from '../../kernel/index.ts'
import {
  isOneOfWallets,
  type OperationalWallet,
  type OperationalWalletId,
  operationalWalletFrom,
} from '../../wallets/index.ts'
import {
  AWAITED_JSON,
  AWAITED_PROGRESS,
  type AwaitedRow,
  type AwaitedWithdrawal,
  awaitedFrom,
} from '../awaited/awaited-withdrawal.ts'
import type { MoveKind } from '../planner/plan-claims.ts'
import { heldWithdrawals } from './held-withdrawals.ts'
import { pastMoves } from './past-moves.ts'

/** A finished operation of the rebalancer, as far as the next move depends on it. */
export interface PastMove {
  readonly type: OperationType
  readonly strategyId: number
  readonly state: OperationState
  readonly failureReason: string | null
  /** Whether one of its transactions ran and reverted. */
  readonly isReverted: boolean
  /** Whether it was aborted after checks that refused it, before an agent got it. */
  readonly hasFailedChecks: boolean
  /** Whether it was aborted while people still had to approve it. */
  readonly isUndecided: boolean
  readonly purpose: MovePurpose
  /** What it was to move, in base units. */
  readonly amount: bigint | null
  readonly plannedAt: Date
  readonly endedAt: Date
  /** The fingerprint of the catalogue when it was planned. */
  readonly catalogueFingerprint: string | null
  /** Base units of the whole move, and of the parts that were to follow this one. */
  readonly total: bigint
  readonly remaining: bigint
}

/** A strategy that refused a move of the wallet. */
export interface RefusedMove {
  readonly kind: MoveKind
  readonly strategyId: number
  readonly code: string
  readonly message: string
  /** Base units of a withdrawal; `null` for other moves. */
  readonly amount: bigint | null
  readonly refusedAt: Date
  /** In a row. */
  readonly failures: number
  readonly until: Date
}

interface ActiveOperation {
  readonly operationId: number
  readonly isOwnDeployment: boolean
  /** It is Weir's own claim or evacuation, and awaits approval: a refill that nobody has to approve goes first. */
  readonly yieldsToRefill: boolean
}

/** The state of one operational wallet in the database. Amounts in base units. */
export interface WalletState {
  readonly opWallet: OperationalWallet
  readonly blockchain: string
  readonly address: string
  /** The last block that the chain was settled up to; a balance from before it is no basis for a plan. */
  readonly settledBlock: number | null
  /** The sum of its open reservations. */
  readonly reserved: bigint
  /** What explicit withdrawals returned within the hold time, minus what left the wallet since. */
  readonly onHold: bigint
  /** When the last of them ended; null if none did within the hold time. */
  readonly heldFrom: Date | null
  /** The wallet's unfinished operation, if any, other than a revocation. */
  readonly activeOperation: ActiveOperation | undefined
  /** Its unfinished revocation, which yields to every move until an agent has it. */
  readonly revocation: { readonly operationId: number } | undefined
  /** What its ended supplies may have left strategies allowed to take, since when. One of each strategy. */
  readonly leftAllowances: readonly { readonly strategyId: number; readonly leftAt: Date }[]
  /** Strategies that refused a move, including those whose time is over. */
  readonly refused: readonly RefusedMove[]
  /** What strategies could not pay at once of requested withdrawals, still to be fetched. */
  readonly awaited: readonly AwaitedWithdrawal[]
  /** Newest first. */
  readonly pastMoves: readonly PastMove[]
  /** How often in a row nothing could be planned, for the same cause. */
  readonly failures: number
  /** What its last evaluation found; null: it was never evaluated. */
  readonly lastOutcome: EvaluationOutcome | null
  readonly policyChangedAt: Date | null
}

/** What the past of a wallet is read from. */
export interface StateTimes {
  readonly now: Date
  /** How long what was withdrawn on request is held. */
  readonly withdrawHoldMs: number
}

/** Reads everything about these operational wallets that decides their moves, in one statement. */
export async function readWalletStates(
  db: Database,
  wallets: readonly OperationalWalletId[],
  times: StateTimes,
): Promise<WalletState[]> {
  if (wallets.length === 0) return []
  const { rows } = await selectWalletStates(wallets, times).execute(db)
  return rows.map((row) => ({
    opWallet: operationalWalletFrom(row),
    blockchain: row.blockchain,
    address: row.address,
    settledBlock: row.settled_block,
    reserved: row.reserved,
    onHold: row.held > row.left_since ? row.held - row.left_since : 0n,
    heldFrom: row.held_from,
    activeOperation:
      row.busy_id === null || row.busy_type === 'REVOKE'
        ? undefined
        : {
            operationId: row.busy_id,
            isOwnDeployment: row.busy_origin === 'rebalancer' && row.busy_type === 'SUPPLY',
            yieldsToRefill:
              row.busy_origin === 'rebalancer' &&
              row.busy_state === 'PENDING_APPROVAL' &&
              (row.busy_purpose === 'claim' || row.busy_purpose === 'evacuation'),
          },
    revocation: row.busy_id !== null && row.busy_type === 'REVOKE' ? { operationId: row.busy_id } : undefined,
    leftAllowances: row.left_allowances.map(({ strategy_id: strategyId, left_at }) => ({
      strategyId,
      leftAt: new Date(left_at),
    })),
    refused: row.refused.map(({ until, type: kind, strategy_id: strategyId, refused_at, amount, ...rest }) => ({
      ...rest,
      kind,
      strategyId,
      amount: amount === null ? null : BigInt(amount),
      refusedAt: new Date(refused_at),
      until: new Date(until),
    })),
    awaited: row.awaited.map(awaitedFrom),
    pastMoves: row.past.map(pastMoveFrom),
    failures: row.rebalance_failures,
    lastOutcome: row.last_outcome,
    policyChangedAt: row.policy_changed_at,
  }))
}

interface PastRow {
  type: OperationType
  strategy_id: number
  state: OperationState
  failure_reason: string | null
  is_reverted: boolean | null
  has_failed_checks: boolean
  is_undecided: boolean
  purpose: MovePurpose | null
  amount: string | null
  planned_at: string
  ended_at: string
  catalogue_fingerprint: string | null
  total: string | null
  remaining: string | null
}

function pastMoveFrom(row: PastRow): PastMove {
  const { type, state, planned_at, ended_at, catalogue_fingerprint, amount, total, remaining } = row
  return {
    type,
    strategyId: row.strategy_id,
    state,
    failureReason: row.failure_reason,
    isReverted: row.is_reverted ?? false,
    hasFailedChecks: row.has_failed_checks,
    isUndecided: row.is_undecided,
    // Of before it was stored.
    purpose: row.purpose ?? USUAL_PURPOSE[type],
    amount: amount === null ? null : BigInt(amount),
    plannedAt: new Date(planned_at),
    endedAt: new Date(ended_at),
    catalogueFingerprint: catalogue_fingerprint,
    total: BigInt(total ?? 0),
    remaining: BigInt(remaining ?? 0),
  }
}

const USUAL_PURPOSE = { SUPPLY: 'deployment', UNWIND: 'refill', REVOKE: 'revocation' } as const

interface Row extends Selectable<Schema['operational_wallets']> {
  blockchain: string
  address: string
  settled_block: number | null
  reserved: bigint
  held: bigint
  held_from: Date | null
  left_since: bigint
  busy_id: number | null
  busy_origin: string | null
  busy_type: OperationType | null
  busy_state: OperationState | null
  busy_purpose: MovePurpose | null
  left_allowances: { strategy_id: number; left_at: string }[]
  awaited: AwaitedRow[]
  past: PastRow[]
  refused: {
    type: MoveKind
    strategy_id: number
    code: string
    message: string
    amount: string | null
    failures: number
    refused_at: string
    until: string
  }[]
  policy_changed_at: Date | null
}

/**
 * The page is materialized: with so many joins, PostgreSQL would look everything up for each wallet of the organization,
 * and only then keep those of the page.
 */
function selectWalletStates(
  wallets: readonly OperationalWalletId[],
  { now, withdrawHoldMs }: StateTimes,
): RawBuilder<Row> {
  const heldSince = addMilliseconds(now, -withdrawHoldMs)
  const rejectedSince = addMilliseconds(now, -REBALANCE_AFTER_REJECTION_MS)
  return sql<Row>`
    with page as materialized (
      select ow.* from operational_wallets ow where ${isOneOfWallets('ow', wallets)}
    )
    select ow.*, w.blockchain, w.address,
      (select cursor.final_number from chain_cursors cursor where cursor.blockchain = w.blockchain) as settled_block,
      coalesce(r.amount, 0) as reserved, coalesce(h.held, 0) as held, h.last as held_from,
      coalesce(h.left_since, 0) as left_since,
      busy.id as busy_id, busy.origin as busy_origin, busy.type as busy_type,
      busy.state as busy_state, busy.purpose as busy_purpose,
      coalesce(past.moves, '[]') as past, coalesce(refused.moves, '[]') as refused,
      coalesce(allowances.left_behind, '[]') as left_allowances, coalesce(awaited.open, '[]') as awaited,
      (select max(p.created_at) from approval_policies p where p.organization_id = ow.organization_id)
        as policy_changed_at
    from page ow
    join wallets w on w.organization_id = ow.organization_id and w.id = ow.wallet_id
    left join lateral (
      select sum(amount) as amount from reservations
      where organization_id = ow.organization_id and wallet_id = ow.wallet_id and token_address = ow.token_address
        and released_at is null
    ) r on true
    left join lateral (${heldWithdrawals(heldSince)}) h on true
    left join lateral (
      select o.id, o.origin, o.type, o.state, o.purpose from operations o
      where o.organization_id = ow.organization_id and o.wallet_id = ow.wallet_id
        and o.state in ('PLANNING', 'PENDING_APPROVAL', 'EXECUTING', 'CONFIRMING')
      order by o.type = 'REVOKE', o.id limit 1
    ) busy on true
    left join lateral (${pastMoves(rejectedSince)}) past on true
    left join lateral (
      select jsonb_agg(jsonb_build_object('type', f.type, 'strategy_id', f.strategy_id, 'code', f.code,
        'message', f.message, 'amount', f.amount::text, 'failures', f.failures, 'refused_at', f.refused_at,
        'until', f.until)) as moves
      from refused_moves f where f.organization_id = ow.organization_id and f.op_wallet_id = ow.id
    ) refused on true
    left join lateral (
      select jsonb_agg(jsonb_build_object('strategy_id', l.strategy_id, 'left_at', l.left_at) order by l.strategy_id)
        as left_behind
      from (
        select strategy_id, min(left_at) as left_at from left_allowances
        where organization_id = ow.organization_id and op_wallet_id = ow.id
        group by strategy_id
      ) l
    ) allowances on true
    left join lateral (
      select jsonb_agg(${AWAITED_JSON} order by a.id) as open
      from awaited_withdrawals a ${AWAITED_PROGRESS}
      where a.organization_id = ow.organization_id and a.op_wallet_id = ow.id and a.state = 'open'
    ) awaited on true
    order by ow.id
  `
}
