import Type from 'typebox'
import {
  type Erasure,
  findErasure,
  type IdentityParts,
  type RequestedErasure,
  requestErasure,
} from '../../../../identity/index.ts'
import { NAME_LENGTH_MAX } from '../../../../kernel/index.ts'
import { type App, ChangeRequested, envelope, ok, recordEvent, runVerb, userCredentialOf } from '../../../http/index.ts'
import { byOwnersWithStepUp } from '../../access.ts'
import { dateTime } from '../../schemas.ts'
import { requireDeletable } from './organization.ts'

const receipt = Type.String({
  pattern: '^[0-9A-Za-z]{43}$',
  description: 'The receipt of the erasure. Keep it: it works without an account, and nothing else shows it again.',
})

const Requested = Type.Object(
  { requestedAt: dateTime('When the erasure was requested.'), receipt },
  { $id: 'RequestedErasure', description: 'An erasure that continues in the background.' },
)

const ErasureData = Type.Object(
  {
    state: Type.Enum(['running', 'waiting', 'finished'], {
      description:
        'running: data is being destroyed. waiting: `waitsFor` says what for; it continues without another request. finished: all personal data is destroyed.',
    }),
    waitsFor: Type.Union([Type.String({ description: 'A reason.' }), Type.Null()], {
      description: '`payments_under_way`: tokens arrived at a deposit address and are being returned. Null: nothing.',
    }),
    requestedAt: dateTime('When the erasure was requested.'),
    finishedAt: Type.Union([dateTime('A time.'), Type.Null()], {
      description: 'When the last personal data was destroyed; null before.',
    }),
    steps: Type.Array(
      Type.Object({
        name: Type.String({ description: 'What was destroyed, such as `members` or `change_requests`.' }),
        rows: Type.Integer({ minimum: 0, description: 'How many rows lost personal data so far.' }),
      }),
      { description: 'The steps that have begun, by name.' },
    ),
  },
  { $id: 'Erasure', description: 'The progress of the erasure of an organization. It contains no personal data.' },
)

const presentRequested = ({ requestedAt, receipt: text }: RequestedErasure) =>
  ok({ requestedAt: requestedAt.toISOString(), receipt: text })

function present({ waitsFor, requestedAt, finishedAt, erased }: Erasure) {
  const state =
    finishedAt !== null ? ('finished' as const) : waitsFor === null ? ('running' as const) : ('waiting' as const)
  return ok({
    state,
    waitsFor,
    requestedAt: requestedAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
    steps: Object.entries(erased)
      .map(([name, rows]) => ({ name, rows }))
      .toSorted((one, other) => one.name.localeCompare(other.name)),
  })
}

/** Erasing the organization: `/api/core/organization/erase`, and its receipt. */
export function erasureRoutes(app: App, parts: IdentityParts): void {
  app.post(
    '/api/core/organization/erase',
    {
      config: {
        ...byOwnersWithStepUp,
        change: { kind: 'members' },
        audit: { id: 'credential.organizationId' },
      },
      schema: {
        tags: ['Organization'],
        operationId: 'eraseOrganization',
        summary: 'Delete the organization and erase its personal data',
        description:
          'Deletes the organization as `DELETE /api/core/organization` does, with the same conditions and errors, and then destroys its personal data in the background: names, email addresses, credentials and bank details of members and recipients, labels, webhooks, what change requests contain, emails that wait, and network addresses outside the audit log. Payments, ledger and audit log stay. Permanent. The response has a receipt, with which `GET /api/core/erasures/{receipt}` shows the progress after your account is gone.',
        body: Type.Object({
          name: Type.String({
            maxLength: NAME_LENGTH_MAX,
            description: "The organization's exact name, as a confirmation: an erasure cannot be undone.",
          }),
        }),
        response: {
          200: envelope(Requested, 'The organization is deleted, and the erasure continues.'),
          202: ChangeRequested,
        },
      },
    },
    async (request, reply) => {
      const input = {
        actor: userCredentialOf(request),
        name: request.body.name,
        assertDeletable: requireDeletable,
      }
      const response = await runVerb(reply, 200, presentRequested, (transact) => requestErasure(parts, input, transact))
      recordEvent(request, 'organization_erasure_requested')
      return response
    },
  )

  app.get(
    '/api/core/erasures/:receipt',
    {
      config: { access: 'open', limit: 'anonymous', notFound: 'No erasure has this receipt.' },
      schema: {
        tags: ['Organization'],
        operationId: 'getErasure',
        summary: 'Get the progress of an erasure',
        description:
          'For holders of a receipt; it needs no other credential. Returns 404 NOT_FOUND for another receipt.',
        params: Type.Object({ receipt }),
        response: { 200: envelope(ErasureData, 'The progress.') },
      },
    },
    async (request) => present(await findErasure(parts, request.params.receipt)),
  )
}
