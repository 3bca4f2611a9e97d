import type { KybStatus } from '../../database/index.ts'

/** The verification of a customer as data (spec 3.5, contract 11). No other code assigns a KYB status. */
export interface KybTransition {
  /** Null: it was never begun. */
  readonly from: KybStatus | null
  readonly to: KybStatus
  /** What the outbox tells, in the same database transaction. */
  readonly emits?: 'customer.approved' | 'customer.declined'
}

const t = (from: KybStatus | null, to: KybStatus, emits?: KybTransition['emits']): KybTransition =>
  Object.freeze({ from, to, ...(emits && { emits }) })

export const KYB_TRANSITIONS: readonly KybTransition[] = Object.freeze([
  t(null, 'pending'),
  t('pending', 'submitted'),
  t('pending', 'approved', 'customer.approved'),
  t('pending', 'declined', 'customer.declined'),
  t('submitted', 'approved', 'customer.approved'),
  t('submitted', 'declined', 'customer.declined'),
  t('declined', 'pending'),
])

/** The transition, or `undefined` where there is none. */
export function kybTransition(from: KybStatus | null, to: KybStatus): KybTransition | undefined {
  return KYB_TRANSITIONS.find((one) => one.from === from && one.to === to)
}

/**
 * The transitions that lead from one status to another: one, or two where a declined verification goes on without being
 * begun again by us. Empty when it is there already, `undefined` when no way leads there.
 */
export function kybPath(from: KybStatus | null, to: KybStatus): KybTransition[] | undefined {
  if (from === to) return []
  const straight = kybTransition(from, to)
  if (straight) return [straight]
  const [reopened, onward] = [kybTransition(from, 'pending'), kybTransition('pending', to)]
  return from === 'declined' && reopened && onward ? [reopened, onward] : undefined
}

/** Whether a verification may begin, or begin again. */
export const canStartKyb = (status: KybStatus | null): boolean => kybTransition(status, 'pending') !== undefined
