import Type from 'typebox'
import type { Tx } from '../../../../database/index.ts'
import {
  deleteOrganization,
  getSecuritySettings,
  type IdentityParts,
  type SecuritySettings,
  setSignedApprovals,
  updateSecuritySettings,
} from '../../../../identity/index.ts'
import { NAME_LENGTH_MAX } from '../../../../kernel/index.ts'
import { requireNoUnfinishedOperations } from '../../../../operations/index.ts'
import { requireNoOpenRampTransactions } from '../../../../ramp/index.ts'
import { type App, ChangeRequested, envelope, ok, runVerb, userCredentialOf } from '../../../http/index.ts'
import { byEveryone, byOwnersWithStepUp } from '../../access.ts'
import { Deleted, presentDeleted } from '../../schemas.ts'

const SecurityData = Type.Object(
  {
    secondFactorRequired: Type.Boolean({ description: 'Members without a second factor can only enroll one.' }),
    signedApprovals: Type.Boolean({
      description: "Approvals of operations count only with a signature by the approver's passkey.",
    }),
    approvalMails: Type.Boolean({
      description: 'Members who may approve get an email when an operation or a change request waits for approval.',
    }),
  },
  { $id: 'SecuritySettings', description: 'What the organization demands of its members.' },
)

const presentSecurity = (settings: SecuritySettings) => ok(settings)

/** CONFLICT while something is unfinished that moves money. */
export async function requireDeletable(tx: Tx, organizationId: number): Promise<void> {
  await requireNoUnfinishedOperations(tx, organizationId)
  await requireNoOpenRampTransactions(tx, organizationId)
}

/** The organization itself: `/api/core/organization`. */
export function organizationRoutes(app: App, parts: IdentityParts): void {
  app.delete(
    '/api/core/organization',
    {
      config: {
        ...byOwnersWithStepUp,
        change: { kind: 'members' },
        audit: { id: 'credential.organizationId' },
      },
      schema: {
        tags: ['Organization'],
        operationId: 'deleteOrganization',
        summary: 'Delete the organization',
        description:
          'Permanently deletes the organization. Only an owner can do it, by repeating its name (otherwise 400 VALIDATION_ERROR). Returns 409 CONFLICT while operations are unfinished (count in `details.unfinishedOperations`) or money is in transit between a bank and a chain (`details.rampTransactionsUnderWay`). All sessions end, sign-in fails as for an unknown email address, API keys return 404 ORGANIZATION_NOT_FOUND, and no further operations are planned. No money moves: deployed funds stay where they are, under the control of the holders of the wallet keys. Positions and the ledger are kept for auditors and continue to follow the chain; tokens that still arrive at a ramp deposit address are returned.',
        body: Type.Object({
          name: Type.String({
            maxLength: NAME_LENGTH_MAX,
            description: "The organization's exact name, as a confirmation: a deletion cannot be undone.",
          }),
        }),
        response: { 200: envelope(Deleted, 'The organization was deleted.'), 202: ChangeRequested },
      },
    },
    async (request, reply) =>
      runVerb(reply, 200, presentDeleted, (transact) =>
        deleteOrganization(
          parts,
          { actor: userCredentialOf(request), name: request.body.name, assertDeletable: requireDeletable },
          transact,
        ),
      ),
  )

  app.get(
    '/api/core/organization/security',
    {
      config: byEveryone,
      schema: {
        tags: ['Organization'],
        operationId: 'getSecuritySettings',
        summary: 'Get the security settings',
        description: 'What the organization demands of its members.',
        response: { 200: envelope(SecurityData, 'The settings.') },
      },
    },
    async (request) => presentSecurity(await getSecuritySettings(parts, userCredentialOf(request).organizationId)),
  )

  app.put(
    '/api/core/organization/security',
    {
      config: {
        ...byOwnersWithStepUp,
        change: { kind: 'members' },
        audit: { id: 'credential.organizationId', details: ['data.secondFactorRequired', 'data.approvalMails'] },
      },
      schema: {
        tags: ['Organization'],
        operationId: 'updateSecuritySettings',
        summary: 'Change the security settings',
        description:
          'Omitted fields stay. Sessions of members without a second factor are restricted at once. API keys are not affected. Returns 409 CONFLICT with `details.reason: "second_factor_missing"` if you require a second factor and have none.',
        body: Type.Object({
          secondFactorRequired: Type.Optional(SecurityData.properties.secondFactorRequired),
          approvalMails: Type.Optional(SecurityData.properties.approvalMails),
        }),
        response: { 200: envelope(SecurityData, 'The new settings.'), 202: ChangeRequested },
      },
    },
    async (request, reply) =>
      runVerb(reply, 200, presentSecurity, (transact) =>
        updateSecuritySettings(parts, userCredentialOf(request), request.body, transact),
      ),
  )

  app.put(
    '/api/core/organization/signed-approvals',
    {
      config: {
        ...byOwnersWithStepUp,
        change: { kind: 'approval_policy' },
        audit: { id: 'credential.organizationId', details: ['data.signedApprovals'] },
      },
      schema: {
        tags: ['Organization'],
        operationId: 'setSignedApprovals',
        summary: 'Require signed approvals',
        description:
          'Owners only. While required, an approval of an operation counts only if its approver signed the content of the operation with a passkey (`GET /api/core/operations/{id}/approval-request`), and the custody agent gets the signatures. Approvals that were given without one no longer count; their approvers approve again. It is a change of the kind `approval_policy`. Returns 409 CONFLICT with `details.reason: "passkey_missing"` if you require it and have no passkey.',
        body: Type.Object({ required: Type.Boolean({ description: 'Whether approvals must be signed.' }) }),
        response: { 200: envelope(SecurityData, 'The new settings.'), 202: ChangeRequested },
      },
    },
    async (request, reply) =>
      runVerb(reply, 200, presentSecurity, (transact) =>
        setSignedApprovals(parts, userCredentialOf(request), request.body.required, transact),
      ),
  )
}
