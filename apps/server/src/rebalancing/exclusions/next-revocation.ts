import { addMilliseconds, LEFT_ALLOWANCE_GRACE_MS } from '../../kernel/index.ts'
import type { WalletState } from '../state/read-wallet-states.ts'
import { pausedUntil } from './paused-until.ts'

type RevocationFacts = Pick<WalletState, 'leftAllowances' | 'pastMoves' | 'policyChangedAt'> & {
  readonly opWallet: { readonly updatedAt: Date }
}

/**
 * The strategy whose left allowance is revoked next, and from when: one that was tried longest ago, so that none that is
 * refused or rejected holds up the others. `undefined`: nothing is left. Pure.
 */
export function nextRevocation(
  facts: RevocationFacts,
  catalogueFingerprint: string,
  now: Date,
): { readonly strategyId: number; readonly from: Date } | undefined {
  const turn = (strategyId: number) => {
    const tried = facts.pastMoves.findIndex((move) => move.type === 'REVOKE' && move.strategyId === strategyId)
    return tried === -1 ? facts.pastMoves.length : tried
  }
  const waiting = facts.leftAllowances.map(({ strategyId, leftAt }) => {
    const move = { type: 'REVOKE', purpose: 'revocation', strategyId } as const
    const usedUp = addMilliseconds(leftAt, LEFT_ALLOWANCE_GRACE_MS)
    const paused = pausedUntil(facts, move, { catalogueFingerprint, now })?.until
    return { strategyId, leftAt, from: paused && paused > usedUp ? paused : usedUp }
  })
  const inTurn = waiting.toSorted(
    (a, b) => turn(b.strategyId) - turn(a.strategyId) || a.leftAt.getTime() - b.leftAt.getTime(),
  )
  return inTurn.find(({ from }) => from <= now) ?? inTurn.toSorted((a, b) => a.from.getTime() - b.from.getTime())[0]
}
