import Type from 'typebox'
import {
  approveChangeRequest,
  type ChangeParts,
  type ChangeRequestView,
  cancelChangeRequest,
  getChangeRequest,
  listChangeRequests,
  rejectChangeRequest,
} from '../../../changes/index.ts'
import { APPROVER_ROLES } from '../../../identity/index.ts'
import { LIST_LIMIT_DEFAULT } from '../../../kernel/index.ts'
import {
  type App,
  ChangeRequestData,
  changeStatus,
  EXPLANATION_DETAILS,
  envelope,
  explanationFields,
  explanationOf,
  idParams,
  mayReadRamp,
  ok,
  pageQuery,
  presentChangeRequest,
  runVerb,
  userCredentialOf,
} from '../../http/index.ts'
import { byAdmins, byEveryoneAndServiceAccounts } from '../access.ts'
import { Pagination, paginationOf } from '../pagination.ts'

const tags = ['Change requests']
const params = idParams('Change request id.')
const decides = {
  access: { surface: 'core', roles: APPROVER_ROLES, stepUp: true },
  limit: 'core',
  idempotent: 'plain',
  idempotentByUser: true,
} as const

/** Change requests: `/api/core/change-requests`. */
export function changeRequestRoutes(app: App, parts: ChangeParts): void {
  const present = (request: ChangeRequestView) => ok(presentChangeRequest(request, parts.clock.now()))

  app.get(
    '/api/core/change-requests',
    {
      config: byEveryoneAndServiceAccounts,
      schema: {
        tags,
        operationId: 'listChangeRequests',
        summary: 'List change requests',
        description:
          'Newest first, of all statuses or of one. Service accounts do not see those of the kinds `payout_accounts` and `onramp_destinations`.',
        querystring: Type.Object({ ...pageQuery, status: Type.Optional(changeStatus) }),
        response: {
          200: envelope(
            Type.Object({
              changeRequests: Type.Array(ChangeRequestData, { description: 'The change requests.' }),
              pagination: Pagination,
            }),
            'The change requests.',
          ),
        },
      },
    },
    async (request) => {
      const { limit = LIST_LIMIT_DEFAULT, offset = 0, status: state } = request.query
      const window = { limit, offset }
      const { items, total } = await listChangeRequests(parts, scopeOf(request), { state }, window)
      const changeRequests = items.map((item) => presentChangeRequest(item, parts.clock.now()))
      return ok({ changeRequests, pagination: paginationOf(window, total, items.length) })
    },
  )

  app.get(
    '/api/core/change-requests/:id',
    {
      config: byEveryoneAndServiceAccounts,
      schema: {
        tags,
        operationId: 'getChangeRequest',
        summary: 'Get a change request',
        description: 'Returns what is to change, who requested it, and the decisions so far. Error: NOT_FOUND.',
        params,
        response: { 200: envelope(ChangeRequestData, 'The change request.') },
      },
    },
    async (request) => present(await getChangeRequest(parts, { ...refOf(request), ...scopeOf(request) })),
  )

  app.post(
    '/api/core/change-requests/:id/approve',
    {
      config: { ...decides, audit: { details: ['data.status', 'data.kind', 'data.action', ...EXPLANATION_DETAILS] } },
      schema: {
        tags,
        operationId: 'approveChangeRequest',
        summary: 'Approve a change request',
        description:
          'With the last approval the cooling-off period begins; after it, the requester repeats the request with the header `Change-Request-Id`. Repeated approvals by one member count once; another `reason`, `link` or `fileSha256` replaces those given before. Approvals of members who have left or may no longer approve do not count. The member who requested the change, or received the key or secret that did, is refused with 403 FORBIDDEN (`details.reason` `own_change_request`), as is a member whose password somebody else set within 24 hours, where the operator requires own passwords, and a member to whom the change gives more rights (`change_concerns_you`). Errors: NOT_FOUND; CONFLICT if the request is no longer open.',
        params,
        body: Type.Object(explanationFields),
        response: { 200: envelope(ChangeRequestData, 'The approval was recorded.') },
      },
    },
    async (request, reply) => {
      const input = { ...decisionOf(request), explanation: explanationOf(request.body) }
      return runVerb(reply, 200, present, (transact) => approveChangeRequest(parts, input, transact))
    },
  )

  app.post(
    '/api/core/change-requests/:id/reject',
    {
      config: { ...decides, audit: { details: ['data.kind', 'data.action', ...EXPLANATION_DETAILS] } },
      schema: {
        tags,
        operationId: 'rejectChangeRequest',
        summary: 'Reject a change request',
        description:
          'One rejection ends the request, even during its cooling-off period. This cannot be undone. The member whom the change is about (`concernedUserId`) is refused with 403 FORBIDDEN (`details.reason` `change_concerns_you`). Errors: NOT_FOUND; CONFLICT if the request is no longer open.',
        params,
        body: Type.Object(explanationFields),
        response: { 200: envelope(ChangeRequestData, 'The request was rejected.') },
      },
    },
    async (request, reply) => {
      const input = { ...decisionOf(request), explanation: explanationOf(request.body) }
      return runVerb(reply, 200, present, (transact) => rejectChangeRequest(parts, input, transact))
    },
  )

  app.post(
    '/api/core/change-requests/:id/cancel',
    {
      config: {
        ...byAdmins,
        idempotent: 'plain',
        idempotentByUser: true,
        audit: { details: ['data.kind', 'data.action'] },
      },
      schema: {
        tags,
        operationId: 'cancelChangeRequest',
        summary: 'Cancel a change request',
        description:
          'For the member who requested the change, or received the key or secret that did; others reject it (403 FORBIDDEN). Errors: NOT_FOUND; CONFLICT if the request is no longer open.',
        params,
        response: { 200: envelope(ChangeRequestData, 'The request was cancelled.') },
      },
    },
    async (request, reply) =>
      runVerb(reply, 200, present, (transact) => cancelChangeRequest(parts, decisionOf(request), transact)),
  )
}

type CoreRequest = Parameters<typeof userCredentialOf>[0]

function refOf(request: CoreRequest) {
  const { id: changeRequestId } = request.params as { id: number }
  return { organizationId: request.credential.organizationId, changeRequestId }
}

/** Requests about payout accounts name recipients and their banks: who may not read the ramp does not see them. */
const scopeOf = ({ credential }: CoreRequest) => ({
  organizationId: credential.organizationId,
  withoutRamp: !mayReadRamp(credential),
})

const decisionOf = (request: CoreRequest) => ({ ...refOf(request), userId: userCredentialOf(request).userId })
