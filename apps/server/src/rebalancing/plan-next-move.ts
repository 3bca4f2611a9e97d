import { Failure } from '../kernel/index.ts'
import { chooseMove, type MoveChoice, type Wait, type WalletReadings, waitOf } from './choose-move.ts'
import type { UnaffordableMove } from './exclusions/excluded-strategies.ts'
import { isRefusal, refusalOf } from './exclusions/refused-moves.ts'
import { kindOf, type PlannedMove } from './planner/plan-claims.ts'
import type { RebalancePlan } from './planner/rebalance-plan.ts'
import type { RebalanceSettings } from './settings.ts'
import type { RefusedMove } from './state/read-wallet-states.ts'

/** What a wallet's next move needs from outside. */
export interface MovePlanning<Planned> {
  readonly now: Date
  /** Plans a move; a failure means that nothing was planned. */
  plan(move: PlannedMove, plan: RebalancePlan): Promise<Planned | Failure>
  recordRefusal(refusal: RefusedMove): Promise<void>
  deleteRefusal(move: PlannedMove): Promise<void>
}

/** `first`: what was chosen before any strategy refused. */
export type NextMove<Planned> = { readonly first: MoveChoice } & (
  | { readonly kind: 'planned'; readonly move: PlannedMove; readonly planned: Planned }
  | { readonly kind: 'waits'; readonly wait: Wait }
  | { readonly kind: 'fails'; readonly failure: Failure }
)

/**
 * Plans the first move of a wallet that no strategy refuses: one that does is left out for a while, and the next best is
 * tried at once. A withdrawal or claim for whose gas the wallet has too little gives way to others, which may need less.
 * They precede every deposit, so that one that needs gas waits. `fails`: the wallet or the chain lacks something, whatever
 * the strategy.
 */
export async function planNextMove<Planned extends object>(
  readings: WalletReadings,
  settings: RebalanceSettings,
  { now, plan, recordRefusal, deleteRefusal }: MovePlanning<Planned>,
): Promise<NextMove<Planned>> {
  const { wallet } = readings
  let refused = wallet.refused
  const unaffordable: UnaffordableMove[] = []
  let lacksGas: Failure | undefined
  const choose = () => chooseMove({ ...readings, wallet: { ...wallet, refused } }, settings, { now, unaffordable })
  const first = choose()
  // Each round leaves out one more strategy of one kind of move.
  for (let choice = first; ; choice = choose()) {
    const { move } = choice
    if (!move) {
      if (lacksGas) return { first, kind: 'fails', failure: lacksGas }
      return { first, kind: 'waits', wait: waitOf(choice, wallet, now) }
    }
    if (lacksGas && move.type === 'SUPPLY') {
      unaffordable.push({ kind: 'SUPPLY', strategyId: move.strategyId })
      continue
    }
    const isSame = ({ kind, strategyId }: RefusedMove) => kind === kindOf(move) && strategyId === move.strategyId
    const planned = await plan(move, choice.plan)
    if (!(planned instanceof Failure)) {
      if (refused.some(isSame)) await deleteRefusal(move)
      return { first, kind: 'planned', move, planned }
    }
    if (planned.code === 'INSUFFICIENT_GAS' && move.type === 'UNWIND') {
      lacksGas ??= planned
      unaffordable.push({ kind: kindOf(move), strategyId: move.strategyId })
      continue
    }
    if (!isRefusal(planned, move)) return { first, kind: 'fails', failure: planned }
    const refusal = refusalOf(refused, move, planned, now)
    await recordRefusal(refusal)
    refused = [...refused.filter((one) => !isSame(one)), refusal]
  }
}
