import type { ChangeRequestState } from '../../database/index.ts'
import { type StateTransition, stateTable } from '../../kernel/index.ts'

export type ChangeRequestEvent =
  | 'approved'
  | 'approvals_lost'
  | 'rejected'
  | 'cancelled'
  | 'superseded'
  | 'expired'
  | 'completed'

export type ChangeTransition = StateTransition<ChangeRequestState, ChangeRequestEvent>

const t = (from: ChangeRequestState, event: ChangeRequestEvent, to: ChangeRequestState): ChangeTransition => ({
  from,
  event,
  to,
})

/**
 * The life of a change request as data. `advance-change-request.ts` runs on this table and is the only code that assigns a
 * state; the diagram in docs/change-requests.md is made from it.
 */
export const CHANGE_REQUEST = stateTable([
  t('requested', 'approved', 'approved'),
  t('requested', 'rejected', 'rejected'),
  t('requested', 'cancelled', 'cancelled'),
  t('requested', 'superseded', 'cancelled'),
  t('requested', 'expired', 'expired'),
  // A member who approved has left or may no longer approve; the cooling-off period starts again.
  t('approved', 'approvals_lost', 'requested'),
  t('approved', 'rejected', 'rejected'),
  t('approved', 'cancelled', 'cancelled'),
  t('approved', 'superseded', 'cancelled'),
  t('approved', 'expired', 'expired'),
  t('approved', 'completed', 'completed'),
])
