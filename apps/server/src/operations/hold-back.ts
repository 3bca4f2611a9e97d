import type { OperationType } from '../database/index.ts'
import { assert, Failure, formatDecimal, greatest, least } from '../kernel/index.ts'
import type { Target } from './find-target.ts'
import type { PlanningState } from './read-for-planning.ts'
import type { Reservation } from './reservation.ts'

/** What of a plan decides about its reservation. */
export interface Holding {
  readonly target: Pick<Target, 'wallet' | 'strategy'>
  readonly type: OperationType
  /** Base units. */
  readonly amount: bigint | null
  /** Supplies only: the token's balance in the chain's latest state. */
  readonly onChain?: bigint | undefined
}

/**
 * What a supply holds back. The chain's latest balance counts, less what other operations hold back; of it the ledger
 * moves what it has already seen as final, and the rest when that becomes final (money-rules 7). `freed`: operations
 * that the plan ends. Error: INSUFFICIENT_BALANCE.
 */
export function holdBack(
  { target, type, amount, onChain }: Holding,
  operationId: number,
  state: PlanningState,
  freed: ReadonlySet<number>,
): Reservation | undefined {
  if (type !== 'SUPPLY') return undefined
  assert(amount !== null && onChain !== undefined, 'a supply has an amount and a balance')
  let ledger = state.available
  for (const [id, held] of state.held) if (freed.has(id)) ledger += held.covered
  requireBalance(amount, onChain - heldByOthers(state, freed))
  return {
    organizationId: target.wallet.organizationId,
    operationId,
    walletId: target.wallet.walletId,
    tokenAddress: target.strategy.tokenAddress,
    amount,
    covered: least(ledger, amount),
  }
}

/** What operations hold back that the plan does not end. Base units. */
export function heldByOthers(state: PlanningState, freed: ReadonlySet<number>): bigint {
  let held = 0n
  for (const [id, { amount }] of state.held) if (!freed.has(id)) held += amount
  return held
}

/** Error: INSUFFICIENT_BALANCE with `required` and `available` in base units. */
export function requireBalance(required: bigint, available: bigint): void {
  if (required <= available) return
  throw new Failure('INSUFFICIENT_BALANCE', {
    details: { required: required.toString(), available: greatest(available, 0n).toString() },
  })
}

/**
 * On core: what the buffer keeps cannot be used (decisions 7). Error: INSUFFICIENT_BALANCE with `available`, `requested`
 * and `shortfall` in decimals.
 */
export function requireAboveBuffer(requested: bigint, balance: bigint, buffer: bigint, decimals: number): void {
  const available = greatest(balance - buffer, 0n)
  if (requested <= available) return
  throw new Failure('INSUFFICIENT_BALANCE', {
    details: {
      available: formatDecimal(available, decimals),
      requested: formatDecimal(requested, decimals),
      shortfall: formatDecimal(requested - available, decimals),
    },
  })
}
