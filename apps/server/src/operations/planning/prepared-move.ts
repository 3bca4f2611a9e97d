import type { SenderState } from '../../chains/index.ts'
import type { OperationType } from '../../database/index.ts'
import type { Actor } from '../../identity/index.ts'
import type { PlanStep, Strategy } from '../../venues/index.ts'
import type { MovePart } from '../lifecycle/states/operation.ts'
import type { OperationalWalletContext } from './find-operational-wallet.ts'

/** A supply or an unwind of an operational wallet that the organization's custody agent executes. */
export interface PlanMove {
  readonly organizationId: number
  readonly opWalletId: number
  readonly strategyId: number
  readonly type: OperationType
  /** Base units; `null`: the whole position. */
  readonly amount: bigint | null
  /** Claims what was requested back and can be claimed now, instead of withdrawing; an unwind of the whole. */
  readonly claim?: boolean | undefined
  readonly origin: 'explicit' | 'rebalancer'
  /** Weir chose the strategy of a deployment that somebody requested. */
  readonly isStrategyChosen?: boolean
  /** A user who requested it cannot approve it, unless the approval policy allows it. */
  readonly requestedBy: Actor
  /** Why this move, strategy and amount; stored with the operation (contract 10). */
  readonly reasons: Record<string, unknown>
  /** The whole move that this one is a part of; the approval policy evaluates its total (contract 7). */
  readonly part?: MovePart
  /**
   * The rebalancer's own withdrawal of the wallet that awaits approval and gives way, if nobody has to approve this move.
   */
  readonly goesBefore?: number | undefined
}

/** A move whose chain reads are done. */
export interface PreparedMove extends PlanMove {
  readonly operationalWallet: OperationalWalletContext
  readonly strategy: Strategy
  readonly senderState: SenderState
  readonly steps: readonly PlanStep[]
  /** Supplies only: the token's balance in the chain's latest state. */
  readonly onChainBalance: bigint | undefined
  /** What the move is worth, in base units; for a whole position, its current value. */
  readonly value: bigint
}
