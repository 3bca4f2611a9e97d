import type { OperationType } from '../../database/index.ts'
import {
  addMilliseconds,
  REBALANCE_AFTER_REJECTION_MS,
  REBALANCE_BACKOFF_MS,
  REBALANCE_ILLIQUIDITY_MS,
} from '../../kernel/index.ts'
import type { WalletState } from '../state/read-wallet-states.ts'
import { isStrategyFailure } from './strategy-failure.ts'

/** Pause after this many consecutive failures: 30 seconds, doubled each time, one hour at most (contract 10). */
export function backoffMs(failures: number): number {
  return Math.min(REBALANCE_BACKOFF_MS.first * 2 ** Math.max(failures - 1, 0), REBALANCE_BACKOFF_MS.max)
}

/** How long a wallet waits for strategies that cannot pay now: 15 seconds, doubled each time, five minutes at most. */
export function illiquidityMs(failures: number): number {
  return Math.min(REBALANCE_ILLIQUIDITY_MS.first * 2 ** Math.max(failures - 1, 0), REBALANCE_ILLIQUIDITY_MS.max)
}

/**
 * The time until which moves of this type are paused for an operational wallet, because the last one was rejected or
 * failed. Returns `undefined` when the move may be planned, and after every change of the buffer or the yield switch.
 * An operation whose failure says something about its strategy only is left to excluded-strategies.ts. Paused deployments never
 * delay a refill of the buffer, or the reverse. `catalogueFingerprint` is the current state of
 * the catalogue for the wallet's chain and token. Pure.
 */
export function pausedUntil(
  facts: Pick<WalletState, 'pastMoves' | 'policyChangedAt'> & { readonly opWallet: { readonly updatedAt: Date } },
  type: OperationType,
  catalogueFingerprint: string,
  now: Date,
): Date | undefined {
  const { opWallet, policyChangedAt } = facts
  const past = facts.pastMoves.filter((move) => move.type === type && !isStrategyFailure(move))
  const [last] = past
  if (!last || last.plannedAt <= opWallet.updatedAt) return undefined
  if (last.state === 'REJECTED') {
    const isUnchanged =
      last.catalogueFingerprint === catalogueFingerprint &&
      (policyChangedAt === null || policyChangedAt <= last.endedAt)
    return isUnchanged ? stillAhead(addMilliseconds(last.endedAt, REBALANCE_AFTER_REJECTION_MS), now) : undefined
  }
  const failures = past.findIndex(({ state }) => state !== 'FAILED' && state !== 'ABORTED')
  const inARow = failures === -1 ? past.length : failures
  return inARow === 0 ? undefined : stillAhead(addMilliseconds(last.endedAt, backoffMs(inARow)), now)
}

function stillAhead(until: Date, now: Date): Date | undefined {
  return until > now ? until : undefined
}
