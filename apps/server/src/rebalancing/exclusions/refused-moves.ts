import type { Database } from '../../database/index.ts'
import { addMilliseconds, type Clock, type ErrorCode, type Failure } from '../../kernel/index.ts'
import { ContractUnavailableError } from '../../venues/index.ts'
import type { OperationalWallet } from '../../wallets/index.ts'
import type { PlannedMove } from '../planner/plan-claims.ts'
import type { RefusedMove, WalletState } from '../state/read-wallet-states.ts'
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
  return REFUSALS.has(error.code) || error instanceof ContractUnavailableError
}

/** Leaves the strategy out for a while, longer with each refusal in a row. */
export async function recordRefusal(
  parts: { readonly db: Database; readonly clock: Clock },
  { opWallet, refused }: Pick<WalletState, 'opWallet' | 'refused'>,
  { type, strategyId }: PlannedMove,
  { code, message }: Failure,
): Promise<RefusedMove> {
  const now = parts.clock.now()
  const before = refused.find((one) => one.type === type && one.strategyId === strategyId)
  const failures = (before?.failures ?? 0) + 1
  const until = addMilliseconds(now, backoffMs(failures))
  const found = { failures, code, message, refused_at: now, until }
  const recorded = await parts.db
    .insertInto('refused_moves')
    .values({
      organization_id: opWallet.organizationId,
      op_wallet_id: opWallet.opWalletId,
      strategy_id: strategyId,
      type,
      ...found,
    })
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'op_wallet_id', 'strategy_id', 'type']).doUpdateSet(found),
    )
    .returning(['failures', 'until'])
    .executeTakeFirstOrThrow()
  return { type, strategyId, code, message, ...recorded }
}

/** Forgets a refusal: the strategy accepted a move. */
export async function forgetRefusal(
  db: Database,
  { organizationId, opWalletId }: OperationalWallet,
  { type, strategyId }: PlannedMove,
): Promise<void> {
  await db
    .deleteFrom('refused_moves')
    .where('organization_id', '=', organizationId)
    .where('op_wallet_id', '=', opWalletId)
    .where('strategy_id', '=', strategyId)
    .where('type', '=', type)
    .execute()
}
