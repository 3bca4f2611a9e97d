import type { KybStatus } from '../../database/index.ts'

/** The verification of a customer as data (spec 3.5, contract 11). No other code assigns a KYB status. */
export interface KybTransition {
  /** Null: never started. */
  readonly from: KybStatus | null
  readonly to: KybStatus
  /** Event written to the outbox in the same database transaction. */
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

/** The transition, or `undefined` if it is not allowed. */
export function kybTransition(from: KybStatus | null, to: KybStatus): KybTransition | undefined {
  return KYB_TRANSITIONS.find((transition) => transition.from === from && transition.to === to)
}

/**
 * The transitions from one status to another: one, or two if a declined verification resumes without being restarted by
 * us. Empty if the status is the same, `undefined` if there is no path.
 */
export function kybPath(from: KybStatus | null, to: KybStatus): KybTransition[] | undefined {
  if (from === to) return []
  const direct = kybTransition(from, to)
  if (direct) return [direct]
  const [reopened, onward] = [kybTransition(from, 'pending'), kybTransition('pending', to)]
  return from === 'declined' && reopened && onward ? [reopened, onward] : undefined
}

/** Whether a verification may start or restart. */
export const canStartKyb = (status: KybStatus | null): boolean => kybTransition(status, 'pending') !== undefined
