import type { MovePurpose } from '../../database/index.ts'
import { addMilliseconds, REBALANCE_AFTER_REJECTION_MS } from '../../kernel/index.ts'
import type { WalletState } from '../state/read-wallet-states.ts'
import { isStrategyFailure } from './strategy-failure.ts'

/** The facts about a wallet that its pauses depend on. */
export type PauseFacts = Pick<WalletState, 'pastMoves' | 'policyChangedAt'> & {
  readonly opWallet: { readonly updatedAt: Date }
}

/** A move, as far as a rejection concerns it. */
export interface RejectableMove {
  readonly purpose: MovePurpose
  /** Absent: whichever strategy it uses. */
  readonly strategyId?: number | undefined
}

/** What the pauses and rejections of a move depend on. */
export interface MoveContext {
  /** The current state of the catalogue for the wallet's chain and token. */
  readonly catalogueFingerprint: string
  readonly now: Date
  /** When the reason for the move arose, if it has one of its own. */
  readonly since?: Date | undefined
}

/** Moves that concern one strategy. Deployments and refills concern the wallet, whichever strategy they use. */
const OF_ONE_STRATEGY: ReadonlySet<MovePurpose> = new Set(['evacuation', 'claim', 'revocation'])

/**
 * The time until which a move is not planned again, because a person or the policy rejected the last one for the same
 * purpose; `undefined`: it may be planned. A change of buffer, switch, policy or catalogue ends the wait, and so does what
 * happened `since`: a new reason for the move. Pure.
 */
export function rejectedUntil(
  { pastMoves, policyChangedAt, opWallet }: PauseFacts,
  { purpose, strategyId }: RejectableMove,
  { catalogueFingerprint, now, since }: MoveContext,
): Date | undefined {
  const last = pastMoves.find(
    (past) =>
      past.purpose === purpose &&
      (past.strategyId === strategyId || !OF_ONE_STRATEGY.has(purpose)) &&
      !isStrategyFailure(past),
  )
  if (last?.state !== 'REJECTED' || last.plannedAt <= opWallet.updatedAt) return undefined
  const isUnchanged =
    last.catalogueFingerprint === catalogueFingerprint &&
    (policyChangedAt === null || policyChangedAt <= last.endedAt) &&
    (since === undefined || since <= last.endedAt)
  const until = addMilliseconds(last.endedAt, REBALANCE_AFTER_REJECTION_MS)
  return isUnchanged && until > now ? until : undefined
}
