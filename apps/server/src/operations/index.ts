export { abortOutdatedOperation } from './approval/abort-outdated.ts'
export { abortOverdueOperations } from './approval/abort-overdue.ts'
export type { ApprovalContent } from './approval/approval-content.ts'
export {
  type ApprovalParts,
  type ApprovalResult,
  approveOperation,
  type DecisionRequest,
} from './approval/approve-operation.ts'
export { type ApprovalCount, countApprovalsOf } from './approval/count-approvals.ts'
export { type ChangedDecision, dryRunPolicy, type PolicyDryRun } from './approval/dry-run-policy.ts'
export { type DecisionView, listDecisions } from './approval/list-decisions.ts'
export { notifyOfOperations } from './approval/notify-of-operations.ts'
export { CALLS_HASH } from './approval/planned-calls.ts'
export { rejectOperation } from './approval/reject-operation.ts'
export { requestSignature, type SignatureRequest } from './approval/request-signature.ts'
export { readSignedApproval, type SignedApproval } from './approval/signed-approval.ts'
export { broadcastForAgent } from './leasing/broadcast-for-agent.ts'
export { claimTransaction, countClaimable } from './leasing/claim-transaction.ts'
export type { IssuedBytes } from './leasing/commit-bytes.ts'
export { issueBytes } from './leasing/issue-bytes.ts'
export type { TransactionClaim } from './leasing/lease.ts'
export { offerStuckTransactions } from './leasing/offer-stuck-transactions.ts'
export { pauseReason } from './leasing/pause-reason.ts'
export { renewLease } from './leasing/renew-lease.ts'
export { type ReportFailed, reportFailed } from './leasing/report-failed.ts'
export { type ReportSubmitted, reportSubmitted } from './leasing/report-submitted.ts'
export { abortAbandonedOperations, failWithheldOperations } from './leasing/sweep-agent-work.ts'
export { expireOverdue } from './lifecycle/conflicts/expire-operations.ts'
export { getOperation, getOperationOfTransaction, getOperations } from './lifecycle/conflicts/get-operation.ts'
export { requireIdleWallet } from './lifecycle/conflicts/require-idle-wallet.ts'
export { requireNoUnfinishedOperations } from './lifecycle/conflicts/require-no-unfinished.ts'
export { chainOf, type Parts, type TransactionTimeouts } from './lifecycle/parts.ts'
export { pendingOperationUse } from './lifecycle/reads/operation-use.ts'
export type { OperationFilter } from './lifecycle/reads/read-operations.ts'
export type { AgentReport, Lease } from './lifecycle/states/agent-work.ts'
export { CLIENT_STATUS } from './lifecycle/states/client-status.ts'
export { OPERATION_FAILURE_REASONS, TRANSACTION_FAILURE_CODES } from './lifecycle/states/failure-codes.ts'
export {
  approvedAtOf,
  exitStepOf,
  hasEnded,
  type Operation,
  publicTypeOf,
  type RejectedOperation,
} from './lifecycle/states/operation.ts'
export { isUnfinished, type OperationEvent } from './lifecycle/states/operation-states.ts'
export {
  hasBlock,
  hasHash,
  type IssuedTransaction,
  isFinal,
  isIssued,
  type OperationTransaction,
  type SentTransaction,
} from './lifecycle/states/transaction.ts'
export { findOperationalWalletContext, type OperationalWalletContext } from './planning/find-operational-wallet.ts'
export { checkLeftAllowance } from './planning/left-allowance-on-chain.ts'
export { planClaim } from './planning/plan-claim.ts'
export { planMove } from './planning/plan-move.ts'
export { planRevocation } from './planning/plan-revocation.ts'
export { type PlanSupply, planSupply } from './planning/plan-supply.ts'
export { type PlanUnwind, planUnwind } from './planning/plan-unwind.ts'
export type { PlanMove } from './planning/prepared-move.ts'
export { listQuarantined, type QuarantinedWallet } from './settlement/blocks/list-quarantined.ts'
export { retryQuarantinedWallets } from './settlement/blocks/retry-quarantined.ts'
export { reconcileNewWallets, settleBlock } from './settlement/blocks/settle-block.ts'
export type { ReconciliationTurns } from './settlement/discovery/find-unreconciled-wallets.ts'
export { recordInclusions } from './settlement/discovery/record-inclusions.ts'
export { readTrackedAddresses, type TrackedAddresses, trackedTokens } from './settlement/discovery/tracked-addresses.ts'
export { checkPendingTransactions } from './settlement/pending/check-pending.ts'
export { expireBlockhashes, newExpiryProgress } from './settlement/pending/expire-blockhashes.ts'
export { newSendingProgress } from './settlement/pending/send-pending.ts'
export { resetChain } from './settlement/reorgs/reset-chain.ts'
export { rollbackLostFinalBlocks } from './settlement/reorgs/rollback-lost-final-blocks.ts'
export {
  replacesIncludedBlock,
  rollbackBlocksAbove,
  rollbackPassedInclusions,
} from './settlement/reorgs/rollback-reorged-blocks.ts'
export { cancelOperation } from './submission/cancel-operation.ts'
export type { ReportedHash } from './submission/link-reported-hash.ts'
export { recoverTransaction } from './submission/recover-transaction.ts'
export { submitHash } from './submission/submit-hash.ts'
export { type SubmitSigned, submitSigned } from './submission/submit-signed.ts'
export { issueUnsignedTransactions } from './submission/unsigned-transactions.ts'
export type { SubmissionResult } from './transactions/broadcast-stored-bytes.ts'
export { exitOfOperation } from './views/exit-of-operation.ts'
export { findOperationViews } from './views/find-operation-views.ts'
export { lastActivity } from './views/last-activity.ts'
export { leftAllowance } from './views/left-allowance.ts'
export {
  listMoneyMovements,
  type MoneyMovement,
  type MoneyMovementFilter,
  type MoneyMovementPage,
  type MoneyMovementTotals,
  type MoneyMovementType,
} from './views/list-money-movements.ts'
export {
  getOperationView,
  listPositionOperationViews,
  listUnfinishedOperationViews,
  type OperationViewFilter,
  operationHistory,
} from './views/list-operation-views.ts'
export { listPositionsAt, type PositionAt, type TokenPositionsAt } from './views/list-positions-at.ts'
export { operationEventPayloads } from './views/operation-event-payload.ts'
export { type OperationStatistics, operationStatistics } from './views/operation-statistics.ts'
export type { OperationView } from './views/operation-view.ts'
export { operationsBacklog } from './views/operations-backlog.ts'
export { calculateSupplyYield, type SupplyYield } from './views/supply-yield.ts'
