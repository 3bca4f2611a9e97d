import type { KybStatus } from '../../database/index.ts'
import { type StateTransition, stateTable } from '../../kernel/index.ts'

/** `new`: the verification was never started. */
export type KybState = KybStatus | 'new'

/**
 * The verification of a customer as data (spec 3.5, contract 11). The event is the status that the provider reports, or
 * `pending` for our own start. `advance-verification.ts` runs on this table and is the only code that assigns a KYB status;
 * the diagram in docs/ramp.md is made from it.
 */
export interface KybTransition extends StateTransition<KybState, KybStatus> {
  readonly to: KybStatus
  /** Event written to the outbox in the same database transaction. */
  readonly emits?: 'customer.approved' | 'customer.declined'
}

const t = (from: KybState, to: KybStatus, emits?: KybTransition['emits']): KybTransition => ({
  from,
  event: to,
  to,
  ...(emits && { emits }),
})

export const KYB = stateTable([
  t('new', 'pending'),
  t('pending', 'submitted'),
  t('pending', 'approved', 'customer.approved'),
  t('pending', 'declined', 'customer.declined'),
  t('submitted', 'approved', 'customer.approved'),
  t('submitted', 'declined', 'customer.declined'),
  // Started again by us, or resumed by the provider.
  t('declined', 'pending'),
])

/**
 * The transitions from one state to a status: one, or two if the provider resumes a declined verification. Empty if they
 * are the same, `undefined` if there is no path.
 */
export function kybPath(from: KybState, to: KybStatus): KybTransition[] | undefined {
  if (from === to) return []
  const direct = KYB.find(from, to)
  if (direct) return [direct]
  const [reopened, onward] = [KYB.find(from, 'pending'), KYB.find('pending', to)]
  return from === 'declined' && reopened && onward ? [reopened, onward] : undefined
}

/** Whether a verification may start or restart. */
export const canStartKyb = (state: KybState): boolean => KYB.find(state, 'pending') !== undefined
