import { CallUnfinishedError } from '../../chains/index.ts'
import type { Database } from '../../database/index.ts'
import { addMilliseconds, type ErrorCode, type Failure } from '../../kernel/index.ts'
import { ContractUnavailableError } from '../../venues/index.ts'
import type { OperationalWallet } from '../../wallets/index.ts'
import { kindOf, type PlannedMove } from '../planner/plan-claims.ts'
import type { RefusedMove } from '../state/read-wallet-states.ts'
import { backoffMs } from './backoff.ts'

/** What a strategy or its contracts refuse. Any other failure is the wallet's, or the chain's. */
const REFUSALS: ReadonlySet<ErrorCode> = new Set([
  'SIMULATION_FAILED',
  'STRATEGY_NOT_ACTIVE',
  'AMOUNT_OUT_OF_BOUNDS',
  'ALLOCATION_NOT_FOUND',
])

export function isRefusal(error: Failure, { type }: Pick<PlannedMove, 'type'>): boolean {
  // A position that is smaller than the ledger says; of a deployment, it is the wallet that holds too little.
  if (error.code === 'INSUFFICIENT_BALANCE') return type === 'UNWIND'
  if (error instanceof ContractUnavailableError || error instanceof CallUnfinishedError) return true
  return REFUSALS.has(error.code)
}

/** The refusal of a move: it leaves the strategy out for a while, longer with each refusal in a row. Pure. */
export function refusalOf(
  refused: readonly RefusedMove[],
  move: PlannedMove,
  { code, message }: Pick<Failure, 'code' | 'message'>,
  now: Date,
): RefusedMove {
  const { strategyId, worth } = move
  const kind = kindOf(move)
  const before = refused.find((one) => one.kind === kind && one.strategyId === strategyId)
  const failures = (before?.failures ?? 0) + 1
  const amount = kind === 'UNWIND' ? worth : null
  const until = addMilliseconds(now, backoffMs(failures))
  return { kind, strategyId, code, message, amount, refusedAt: now, failures, until }
}

export async function recordRefusal(
  db: Database,
  { organizationId, opWalletId }: OperationalWallet,
  { kind: type, strategyId, refusedAt, ...refusal }: RefusedMove,
): Promise<void> {
  const found = { ...refusal, refused_at: refusedAt }
  await db
    .insertInto('refused_moves')
    .values({ organization_id: organizationId, op_wallet_id: opWalletId, strategy_id: strategyId, type, ...found })
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'op_wallet_id', 'strategy_id', 'type']).doUpdateSet(found),
    )
    .execute()
}

/** Forgets a refusal: the strategy accepted a move. */
export async function deleteRefusal(
  db: Database,
  { organizationId, opWalletId }: OperationalWallet,
  move: PlannedMove,
): Promise<void> {
  await db
    .deleteFrom('refused_moves')
    .where('organization_id', '=', organizationId)
    .where('op_wallet_id', '=', opWalletId)
    .where('strategy_id', '=', move.strategyId)
    .where('type', '=', kindOf(move))
    .execute()
}
