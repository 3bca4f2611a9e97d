import Type from 'typebox'
import {
  approvalsOf,
  CHANGE_KINDS,
  type ChangeKind,
  type ChangeRequestView,
  changeApprovedAt,
  changeEndedAt,
  earliestCompletion,
  stateAt,
} from '../../../changes/index.ts'
import { envelope, ok } from './envelope.ts'
import { givenExplanation, presentExplanation } from './explanation.ts'
import { id } from './ids.ts'

/** How change requests are shown to the caller whose request became one, and to approvers. */

const dateTime = (description: string) => Type.String({ format: 'date-time', description })
const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description })

const CHANGE_STATUSES = ['requested', 'approved', 'rejected', 'cancelled', 'expired', 'completed'] as const

const changeKind = Type.Enum([...CHANGE_KINDS], { description: 'Kind of change.' })
export const changeStatus = Type.Enum([...CHANGE_STATUSES], {
  description:
    'requested: waits for approvals. approved: its requester can complete it from `earliestAt`. completed: the change was made. rejected, cancelled, expired: it never will be.',
})

export const ChangeRequestData = Type.Object(
  {
    id: id('Change request id.'),
    kind: changeKind,
    action: Type.String({ description: 'The `operationId` of the request, such as `addMember`.' }),
    summary: Type.String({ description: 'The action in words.' }),
    request: Type.Object(
      {
        method: Type.String({ description: 'HTTP method.' }),
        path: Type.String({ description: 'Path.' }),
        body: Type.Record(Type.String(), Type.Unknown(), {
          description: 'Body, with secrets masked and without unknown fields.',
        }),
      },
      { description: 'The request that would make the change.' },
    ),
    status: changeStatus,
    requestedBy: Type.Object(
      {
        type: Type.Enum(['user', 'key', 'service_account'], {
          description: 'A member, an API key or a service account.',
        }),
        id: id('Id of the user, the API key or the service account.'),
        name: orNull(Type.String(), 'Email address of the member, or name of the key or service account.'),
      },
      { description: 'Who made the request. Only they can complete it.' },
    ),
    concernedUserId: orNull(
      id('User id of the member whom the change is about.'),
      'User id of the member whom the change is about, who cannot reject it; null if it is about no member.',
    ),
    concernedMember: orNull(
      Type.Object({
        id: id('User id.'),
        email: Type.String({ description: 'Email address. Admins cannot change it: trust it rather than the name.' }),
        name: orNull(Type.String(), 'Display name as it is now; null if there is none.'),
      }),
      'The member whom the change is about, as they are now; null if it is about no member.',
    ),
    approvals: Type.Integer({ description: 'Approvals that count now.' }),
    requiredApprovals: Type.Integer({ description: 'Approvals that are needed.' }),
    decisions: Type.Array(
      Type.Object({
        userId: id('User id.'),
        email: Type.String({ description: 'Email address of the member.' }),
        decision: Type.Enum(['approve', 'reject'], { description: 'What the member decided.' }),
        counts: Type.Boolean({
          description: 'Whether the decision counts: the member is still there and may approve this change.',
        }),
        ...givenExplanation,
        at: dateTime('When the member decided.'),
      }),
      { description: 'Decisions of members, in their order.' },
    ),
    coolingOffSeconds: Type.Integer({ description: 'How long the change waits after the last approval.' }),
    createdAt: dateTime('When the change was requested.'),
    approvedAt: orNull(
      dateTime('When the approvals were complete.'),
      'When the approvals were complete; null until then.',
    ),
    earliestAt: orNull(
      dateTime('When the change can be completed at the earliest.'),
      'The earliest time at which the change can be completed; null until it is approved.',
    ),
    expiresAt: dateTime('When the request expires, unless it ends before.'),
    endedAt: orNull(dateTime('When the request ended.'), 'When the request ended; null while it is open.'),
  },
  { $id: 'ChangeRequest', description: 'A change that was requested and that others must approve.' },
)

/** The response of a core route whose change needs approval. */
export const ChangeRequested = envelope(
  ChangeRequestData,
  'Nothing was changed: the change needs approval. Once it is approved, repeat the request with the header `Change-Request-Id`.',
)

const presentChangeDecision = (decision: ChangeRequestView['decisions'][number]) => ({
  userId: decision.userId,
  email: decision.email,
  decision: decision.decision,
  counts: decision.counts,
  ...presentExplanation(decision),
  at: decision.at.toISOString(),
})

export function presentChangeRequest(request: ChangeRequestView, now: Date) {
  const { content, kind } = request
  return {
    id: request.id,
    kind: kind satisfies ChangeKind,
    action: request.action,
    summary: content.summary,
    request: { method: content.method, path: content.path, body: content.body as Record<string, unknown> },
    status: stateAt(request, now),
    requestedBy: { ...request.requestedBy, name: request.requesterName },
    concernedUserId: request.concernedUserId,
    concernedMember: request.concernedMember,
    approvals: approvalsOf(request),
    requiredApprovals: request.requiredApprovals,
    decisions: request.decisions.map(presentChangeDecision),
    coolingOffSeconds: request.coolingOffSeconds,
    createdAt: request.createdAt.toISOString(),
    approvedAt: changeApprovedAt(request)?.toISOString() ?? null,
    earliestAt: earliestCompletion(request)?.toISOString() ?? null,
    expiresAt: request.expiresAt.toISOString(),
    endedAt: changeEndedAt(request)?.toISOString() ?? null,
  }
}

export const presentChangeRequested = (request: ChangeRequestView, now: Date) => ok(presentChangeRequest(request, now))
