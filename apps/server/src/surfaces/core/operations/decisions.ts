import Type from 'typebox'
import { APPROVER_ROLES } from '../../../identity/index.ts'
import {
  type ApprovalParts,
  type ApprovalResult,
  approvedAtOf,
  approveOperation,
  CALLS_HASH,
  type RejectedOperation,
  rejectOperation,
  requestSignature,
  type SignatureRequest,
} from '../../../operations/index.ts'
import {
  type App,
  EXPLANATION_DETAILS,
  envelope,
  explanationFields,
  explanationOf,
  id,
  idParams,
  ok,
  runVerb,
  userCredentialOf,
} from '../../http/index.ts'
import { ApprovalContentData, presentApprovalContent } from '../agent/approval-schemas.ts'
import { orNull } from '../formats.ts'
import { PasskeyAssertionBody, PasskeyRequestData, passkeyAssertionOf } from '../identity/shared/factor-schemas.ts'
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
    signed: Type.Boolean({ description: 'Whether your approval is signed with a passkey.' }),
  },
  { $id: 'OperationApproval', description: 'An operation after an approval.' },
)
const ApprovalSignatureRequest = Type.Object(
  {
    required: Type.Boolean({ description: 'Whether an approval without a signature is refused.' }),
    content: ApprovalContentData,
    text: Type.String({ description: 'What the approver signs. Show it to them.' }),
    passkey: orNull(PasskeyRequestData, 'The options for the browser; null if you have no passkey.'),
  },
  { $id: 'ApprovalSignatureRequest', description: 'What an approver signs.' },
)
const Rejection = Type.Object(
  { id: id('Operation id.'), status: operationStatus, rejectedAt: dateTime('When the operation was rejected.') },
  { $id: 'OperationRejection', description: 'A rejected operation.' },
)

const callsHash = Type.Optional(
  Type.String({
    pattern: CALLS_HASH.source,
    description: 'SHA-256 of the calls that you saw in `steps`; see the docs on approvals. The audit log keeps it.',
  }),
)

const presentApproved = ({ operation, approvals, isSigned }: ApprovalResult) =>
  ok({
    id: operation.operationId,
    status: operation.state,
    approvedAt: approvedAtOf(operation)?.toISOString() ?? null,
    approvals,
    requiredApprovals: operation.requiredApprovals,
    signed: isSigned,
  })
const presentRejected = (operation: RejectedOperation) =>
  ok({
    id: operation.operationId,
    status: operation.state,
    rejectedAt: operation.rejectedAt.toISOString(),
  })

const presentSignatureRequest = ({ required, content, text, passkey }: SignatureRequest) =>
  ok({ required, content: presentApprovalContent(content), text, passkey })

const tags = ['Core operations']
const decides = {
  access: { surface: 'core', roles: APPROVER_ROLES, stepUp: true },
  limit: 'core',
  idempotent: 'plain',
  idempotentByUser: true,
  audit: { details: ['data.status', 'data.signed', ...EXPLANATION_DETAILS, 'body.callsHash'] },
} as const

/** Approve and reject (spec 4.3, contract 7). */
export function operationDecisionRoutes(app: App, parts: ApprovalParts): void {
  app.get(
    '/api/core/operations/:id/approval-request',
    {
      config: {
        access: { surface: 'core', roles: APPROVER_ROLES },
        limit: 'core',
        conflict: 'The operation does not wait for approval.',
      },
      schema: {
        tags,
        operationId: 'getApprovalRequest',
        summary: 'Get what an approver signs',
        description:
          'For approvals signed with a passkey. Let the browser sign with the options in `passkey`, and send the result as `passkey` to `POST /api/core/operations/{id}/approve`. The challenge is the SHA-256 of `text`, which is built from the operation, so repeated calls return the same. Errors: OPERATION_NOT_FOUND; INVALID_OPERATION_STATUS if the operation is not pending approval.',
        params: idParams('Operation id.'),
        response: { 200: envelope(ApprovalSignatureRequest, 'What to sign.') },
      },
    },
    async (request) => {
      const { organizationId, userId } = userCredentialOf(request)
      const scope = { organizationId, walletProfileId: null }
      return presentSignatureRequest(await requestSignature(parts, { scope, operationId: request.params.id, userId }))
    },
  )

  app.post(
    '/api/core/operations/:id/approve',
    {
      config: decides,
      schema: {
        tags,
        operationId: 'approveOperation',
        summary: 'Approve an operation',
        description:
          'With the last approval that the policy requires, the operation becomes EXECUTING and is ready for the custody agent, which receives it after an operation that a client planned meanwhile for the same wallet has ended; until then it stays PENDING_APPROVAL. Repeated approvals by one user count once; another `reason`, `link` or `fileSha256` replaces those given before. Approvals of members who have left or may no longer approve do not count. The user who requested the operation is refused with FORBIDDEN, unless the approval policy sets `requesterMayApprove` or too few other members may approve. Where the organization requires signed approvals, `passkey` is required: FORBIDDEN with `details.reason` `signature_required` without it, and `signature_invalid` for anything but a signature by one of your passkeys over this operation. The wallet is checked again: if it no longer holds enough above its buffer, the operation is ABORTED and the call returns INVALID_OPERATION_STATUS. A member whose password somebody else set within 24 hours is refused with FORBIDDEN, where the operator requires own passwords. Errors: OPERATION_NOT_FOUND; INVALID_OPERATION_STATUS if the operation is not pending approval; CONFLICT (`details.reason` `calls_differ`) if its calls do not match `callsHash`; CHAIN_UNAVAILABLE.',
        params: idParams('Operation id.'),
        body: Type.Object({ ...explanationFields, callsHash, passkey: Type.Optional(PasskeyAssertionBody) }),
        response: { 200: envelope(Approval, 'The approval was recorded.') },
      },
    },
    async (request, reply) => {
      const { organizationId, userId } = userCredentialOf(request)
      const scope = { organizationId, walletProfileId: null }
      const passkey = passkeyAssertionOf(request.body.passkey)
      const explanation = explanationOf(request.body)
      const { callsHash } = request.body
      const input = { scope, operationId: request.params.id, userId, passkey, explanation, callsHash }
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
        body: Type.Object(explanationFields),
        response: { 200: envelope(Rejection, 'The operation was rejected.') },
      },
    },
    async (request, reply) => {
      const { organizationId, userId } = userCredentialOf(request)
      const scope = { organizationId, walletProfileId: null }
      const input = { scope, operationId: request.params.id, userId, explanation: explanationOf(request.body) }
      return runVerb(reply, 200, presentRejected, (transact) => rejectOperation(parts, input, transact))
    },
  )
}
