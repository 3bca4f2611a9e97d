export type { ChangeParts } from './parts.ts'
export {
  CHANGE_KINDS,
  type ChangeKind,
  type ChangeRule,
  type ChangeRules,
  ruleFor,
} from './policy/change-policy.ts'
export { type ChangePolicy, getChangePolicy, readChangeRules } from './policy/read-change-policy.ts'
export { requireEnoughApprovers } from './policy/require-enough-approvers.ts'
export { requireNoRule } from './policy/require-no-rule.ts'
export { resetChangePolicy } from './policy/reset-change-policy.ts'
export { roleRules } from './policy/role-rules.ts'
export { updateChangePolicy } from './policy/update-change-policy.ts'
export { approveChangeRequest } from './requests/approve-change-request.ts'
export { cancelChangeRequest } from './requests/cancel-change-request.ts'
export type { ChangeRequester } from './requests/change-request.ts'
export { changeApprovedAt, changeEndedAt, earliestCompletion, stateAt } from './requests/change-request.ts'
export { type ChangeClaim, checkChangeClaim, completeChangeRequest } from './requests/complete-change-request.ts'
export { changeRequestErasure } from './requests/erase-change-requests.ts'
export { expireChangeRequests } from './requests/expire-change-requests.ts'
export { fingerprintOf } from './requests/fingerprint.ts'
export { notifyOfChangeRequests } from './requests/notify-of-change-requests.ts'
export {
  approvalsOf,
  type ChangeRequestView,
  getChangeRequest,
  listChangeRequests,
} from './requests/read-change-requests.ts'
export { rejectChangeRequest } from './requests/reject-change-request.ts'
export { requestChange } from './requests/request-change.ts'
export { CHANGE_SEALED_COLUMNS } from './sealed-columns.ts'
