import type { PastMove } from '../../src/rebalancing/state/read-wallet-states.ts'

const USUAL_PURPOSE = { SUPPLY: 'deployment', UNWIND: 'refill', REVOKE: 'revocation' } as const

/** A move of the rebalancer that ended: a deployment that was carried out, unless `of` says otherwise. */
export function pastMove(of: Partial<PastMove> & { readonly at?: Date }): PastMove {
  const { at = new Date('2026-06-01T12:00:00Z'), type = 'SUPPLY', ...rest } = of
  return {
    type,
    strategyId: 1,
    state: 'COMPLETED',
    failureReason: null,
    isReverted: false,
    hasFailedChecks: false,
    isUndecided: false,
    purpose: USUAL_PURPOSE[type],
    amount: null,
    plannedAt: at,
    endedAt: at,
    catalogueFingerprint: null,
    total: 0n,
    remaining: 0n,
    ...rest,
  }
}
