export type { Approvers } from './approvers.ts'
export { type ApprovalVerdict, checkApproval } from './check-approval.ts'
export { parseApprovers } from './parse-approvers.ts'
