import type { AuditedActor, Scope } from '../../identity/index.ts'
import { Failure } from '../../kernel/index.ts'
import { type Strategy, strategyById } from '../../venues/index.ts'
import {
  findReferencedWallets,
  resolveWallet,
  type Wallet,
  type WalletReference,
  walletFrom,
} from '../../wallets/index.ts'
import type { PlanConflictPolicy } from '../lifecycle/conflicts/plan-conflicts.ts'
import type { Parts } from '../lifecycle/parts.ts'

/** How a request for a plan names the wallet and the strategy. */
export interface PlanTargetInput extends WalletReference {
  readonly scope: Scope
  readonly strategyId: number
  readonly requestedBy: AuditedActor
  /** `supersede` if absent. */
  readonly ifBusy?: PlanConflictPolicy | undefined
}

export interface PlanTarget {
  readonly strategy: Strategy
  readonly wallet: Wallet
  readonly operationTimeoutSeconds: number
}

/**
 * Finds the wallet and the strategy of a plan. Errors come in the order of contract 1 and 4.
 *
 * Errors: VALIDATION_ERROR (no wallet named, names disagree, wallet of another chain), INVALID_ADDRESS,
 * WALLET_NOT_FOUND, STRATEGY_NOT_FOUND, FORBIDDEN (chain not enabled in the wallet's profile).
 */
export async function findPlanTarget(parts: Parts, input: PlanTargetInput): Promise<PlanTarget> {
  const [rows, strategy] = await Promise.all([
    findReferencedWallets(parts.db, input.scope, input),
    strategyById(parts.db, input.strategyId),
  ])
  const place = { blockchain: strategy?.blockchain, field: 'strategyId', missing: 'STRATEGY_NOT_FOUND' } as const
  const row = resolveWallet(rows, input, place)
  if (!strategy) throw new Failure('STRATEGY_NOT_FOUND')
  if (!row.enabled_chains.includes(strategy.blockchain)) {
    throw new Failure('FORBIDDEN', { message: `The wallet profile does not allow ${strategy.blockchain}.` })
  }
  return { strategy, wallet: walletFrom(row), operationTimeoutSeconds: row.operation_timeout_seconds }
}
