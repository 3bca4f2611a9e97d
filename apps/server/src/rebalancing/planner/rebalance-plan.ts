import type { StrategyEvaluation, StrategyOption } from './allocator.ts'
import type { StrategyPosition, WithdrawalSource } from './payable-positions.ts'
import type { FundsInTransit, PlannedMove } from './plan-claims.ts'

/** Everything that the plan for an operational wallet depends on. Amounts in base units of its token. */
export interface PlannerInput {
  /** Balance on the chain minus reservations. */
  readonly available: bigint
  /** The amount that must stay liquid. */
  readonly buffer: bigint
  /** What an explicit withdrawal returned to the wallet and must not be deployed again yet. */
  readonly onHold: bigint
  readonly enableYield: boolean
  readonly options: readonly StrategyOption[]
  readonly holdings: readonly StrategyPosition[]
  readonly exits: readonly FundsInTransit[]
  /** Minimum size of a deployment. */
  readonly floor: bigint
  /** A smaller shortfall is ignored. */
  readonly dust: bigint
  readonly horizonDays: number
  /** People rejected the last refill, so nothing waits for the next one; absent: they did not. */
  readonly isRefillRejected?: boolean | undefined
  /** An own claim or evacuation awaits people, so only a refill is planned; absent: anything. */
  readonly isRefillOnly?: boolean | undefined
}

export interface RebalancePlan {
  /** In the order of execution, one after another. */
  readonly moves: readonly PlannedMove[]
  /** The amount above the buffer that is not on hold. */
  readonly excess: bigint
  /** The amount that the buffer lacks. */
  readonly shortfall: bigint
  /** What positions are to pay, for the shortfall or because it is to leave them, and cannot pay now. */
  readonly awaited: bigint
  /** What is to follow the moves for the same purpose, as soon as strategies can pay or take it; 0 for claims. */
  readonly later: bigint
  /** What each position could pay towards that; empty for deployments. */
  readonly sources: readonly WithdrawalSource[]
  /** Why there is no move, or why the moves do not cover everything. */
  readonly notes: readonly string[]
  /** The allocator's evaluation of each strategy; empty for unwinds. */
  readonly weighed: readonly StrategyEvaluation[]
}

/** What is to leave positions, whatever the buffer needs. */
export type PlannedWithdrawals = Pick<RebalancePlan, 'moves' | 'notes' | 'awaited' | 'later' | 'sources'>
