import type { OperationType } from '../../database/index.ts'
import { assert, Failure, Money, maxAmount, minAmount } from '../../kernel/index.ts'
import type { Reservation } from '../lifecycle/records/reservation.ts'
import type { PlanTarget } from './find-plan-target.ts'
import type { PlanningState } from './read-planning-state.ts'

/** The parts of a plan that determine its reservation. */
export interface ReservationInput {
  readonly target: Pick<PlanTarget, 'wallet' | 'strategy'>
  readonly type: OperationType
  /** Base units. */
  readonly amount: bigint | null
  /** Supplies only: the token's balance in the chain's latest state. */
  readonly onChainBalance?: bigint | undefined
}

/**
 * The reservation of a supply. It must fit into the chain's latest balance less the reservations of other operations.
 * The ledger moves the part that is already final now, and the rest when it becomes final (rule 7). `superseded`: ids
 * of operations that the plan ends. Error: INSUFFICIENT_BALANCE.
 */
export function reserveFunds(
  { target, type, amount, onChainBalance }: ReservationInput,
  operationId: number,
  state: PlanningState,
  superseded: ReadonlySet<number>,
): Reservation | undefined {
  if (type !== 'SUPPLY') return undefined
  assert(amount !== null && onChainBalance !== undefined, 'a supply has an amount and a balance')
  let ledger = state.available
  for (const [id, reservation] of state.reserved) if (superseded.has(id)) ledger += reservation.covered
  requireBalance(amount, onChainBalance - reservedByOthers(state, superseded), target.strategy.tokenDecimals)
  return {
    organizationId: target.wallet.organizationId,
    operationId,
    walletId: target.wallet.walletId,
    tokenAddress: target.strategy.tokenAddress,
    amount,
    covered: minAmount(ledger, amount),
  }
}

/** The sum of the reservations of operations that the plan does not end. Base units. */
export function reservedByOthers(state: PlanningState, superseded: ReadonlySet<number>): bigint {
  let reserved = 0n
  for (const [id, { amount }] of state.reserved) if (!superseded.has(id)) reserved += amount
  return reserved
}

/** Error: INSUFFICIENT_BALANCE with `required` and `available`, as {@link Money}. */
export function requireBalance(required: bigint, available: bigint, decimals: number): void {
  if (required <= available) return
  throw new Failure('INSUFFICIENT_BALANCE', {
    details: { required: new Money(required, decimals), available: new Money(maxAmount(available, 0n), decimals) },
  })
}

/**
 * On core, the buffer cannot be spent (contract 7). Error: INSUFFICIENT_BALANCE with `available`, `requested` and
 * `shortfall`, as {@link Money}.
 */
export function requireAboveBuffer(requested: bigint, balance: bigint, buffer: bigint, decimals: number): void {
  const available = maxAmount(balance - buffer, 0n)
  if (requested <= available) return
  throw new Failure('INSUFFICIENT_BALANCE', {
    details: {
      available: new Money(available, decimals),
      requested: new Money(requested, decimals),
      shortfall: new Money(requested - available, decimals),
    },
  })
}
