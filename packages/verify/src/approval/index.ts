export { type ApprovalContent, approvalChallenge, approvalText } from './approval-content.ts'
