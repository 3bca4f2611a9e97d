import Type from 'typebox'
import { APPROVER_ROLES } from '../../../identity/index.ts'
import {
  type ApprovalResult,
  approveOperation,
  type Operation,
  type Parts,
  rejectOperation,
} from '../../../operations/index.ts'
import { type App, envelope, id, idParams, ok, runVerb, userCredentialOf } from '../../http/index.ts'
import { orNull } from '../formats.ts'
import { dateTime } from '../schemas.ts'
import { operationStatus } from './operations.ts'

const Approval = Type.Object(
  {
    id: id('Operation id.'),
    status: operationStatus,
    approvedAt: orNull(
      dateTime('When the last required approval arrived.'),
      'When the last required approval arrived; null until then.',
    ),
    approvals: Type.Integer({ description: 'Number of members who have approved and may still approve.' }),
    requiredApprovals: Type.Integer({ description: 'Number of approvals required.' }),
  },
  { $id: 'OperationApproval', description: 'An operation after an approval.' },
)
const Rejection = Type.Object(
  { id: id('Operation id.'), status: operationStatus, rejectedAt: dateTime('When the operation was rejected.') },
  { $id: 'OperationRejection', description: 'A rejected operation.' },
)

const presentApproved = ({ operation, approvals }: ApprovalResult) =>
  ok({
    id: operation.operationId,
    status: operation.state,
    approvedAt: operation.approvedAt?.toISOString() ?? null,
    approvals,
    requiredApprovals: operation.requiredApprovals,
  })
const presentRejected = (operation: Operation) =>
  ok({
    id: operation.operationId,
    status: operation.state,
    rejectedAt: (operation.rejectedAt ?? operation.updatedAt).toISOString(),
  })

const tags = ['Core operations']
const decides = {
  access: { surface: 'core', roles: APPROVER_ROLES, stepUp: true },
  limit: 'core',
  idempotent: 'plain',
  audit: { details: ['data.status'] },
} as const

/** Approve and reject (spec 4.3, contract 7). */
export function operationDecisionRoutes(app: App, parts: Parts): void {
  app.post(
    '/api/core/operations/:id/approve',
    {
      config: decides,
      schema: {
        tags,
        operationId: 'approveOperation',
        summary: 'Approve an operation',
        description:
          'With the last approval that the policy requires, the operation becomes EXECUTING and is ready for the custody agent; until then it stays PENDING_APPROVAL. Repeated approvals by one user count once. Approvals of members who have left or may no longer approve do not count. The user who requested the operation is refused with FORBIDDEN, unless the approval policy sets `requesterMayApprove` or too few other members may approve. The wallet is checked again: if it no longer holds enough above its buffer, the operation is ABORTED and the call returns INVALID_OPERATION_STATUS. A member whose password somebody else set within 24 hours is refused with FORBIDDEN, where the operator requires own passwords. Errors: OPERATION_NOT_FOUND; INVALID_OPERATION_STATUS if the operation is not pending approval; OPERATION_IN_PROGRESS while another operation of the wallet is in progress; CHAIN_UNAVAILABLE.',
        params: idParams('Operation id.'),
        response: { 200: envelope(Approval, 'The approval was recorded.') },
      },
    },
    async (request, reply) => {
      const { organizationId, userId } = userCredentialOf(request)
      const scope = { organizationId, walletProfileId: null }
      const input = { scope: scope, operationId: request.params.id, userId }
      // The request fails, but it aborts the operation, so the audit log must record who sent it.
      const statusOf = ({ abortReason }: ApprovalResult) => (abortReason === undefined ? 200 : 409)
      return runVerb(reply, statusOf, presentApproved, (transact) => approveOperation(parts, input, transact))
    },
  )

  app.post(
    '/api/core/operations/:id/reject',
    {
      config: decides,
      schema: {
        tags,
        operationId: 'rejectOperation',
        summary: 'Reject an operation',
        description:
          'One rejection ends the operation and releases its reservation. This cannot be undone. Errors: OPERATION_NOT_FOUND; INVALID_OPERATION_STATUS if the operation is not pending approval.',
        params: idParams('Operation id.'),
        response: { 200: envelope(Rejection, 'The operation was rejected.') },
      },
    },
    async (request, reply) => {
      const { organizationId, userId } = userCredentialOf(request)
      const scope = { organizationId, walletProfileId: null }
      const input = { scope: scope, operationId: request.params.id, userId }
      return runVerb(reply, 200, presentRejected, (transact) => rejectOperation(parts, input, transact))
    },
  )
}
