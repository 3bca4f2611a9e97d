import Type from 'typebox'
import type { Tx } from '../../../database/index.ts'
import { deleteOrganization, type IdentityParts } from '../../../identity/index.ts'
import { NAME_LENGTH_MAX } from '../../../kernel/index.ts'
import { requireNoUnfinishedOperations } from '../../../operations/index.ts'
import { requireNoOpenRampTransactions } from '../../../ramp/index.ts'
import { type App, envelope, OWNERS, runVerb, userCredentialOf } from '../../http/index.ts'
import { Deleted, presentDeleted } from '../schemas.ts'

/** The organization itself: `/api/core/organization`. */
export function organizationRoutes(app: App, parts: IdentityParts): void {
  app.delete(
    '/api/core/organization',
    {
      config: {
        access: { surface: 'core', roles: OWNERS },
        limit: 'core',
        audit: { id: 'credential.organizationId' },
      },
      schema: {
        tags: ['Organization'],
        operationId: 'deleteOrganization',
        summary: 'Delete the organization',
        description:
          'For good, by an owner who repeats its name (otherwise 400 VALIDATION_ERROR). 409 CONFLICT while an operation is not finished; `details.unfinishedOperations` says how many; or while money is on its way between a bank and a chain (`details.rampTransactionsUnderWay`). From then on every session has ended, logging in answers as for an unknown e-mail address, API keys answer 404 ORGANIZATION_NOT_FOUND, and nothing is planned any more. No money moves: what is deployed stays where it is, in the hands of whoever has the keys of the wallets. Positions and ledger are kept for auditors, and go on following the chain; tokens that still arrive at a deposit address of the ramp are returned.',
        body: Type.Object({
          name: Type.String({
            maxLength: NAME_LENGTH_MAX,
            description: "The organization's name, to the letter: a deletion is not undone.",
          }),
        }),
        response: { 200: envelope(Deleted, 'The organization is deleted.') },
      },
    },
    async (request, reply) => {
      const mayGo = async (tx: Tx, organizationId: number) => {
        await requireNoUnfinishedOperations(tx, organizationId)
        await requireNoOpenRampTransactions(tx, organizationId)
      }
      return runVerb(reply, 200, presentDeleted, (transact) =>
        deleteOrganization(parts, userCredentialOf(request), request.body.name, mayGo, transact),
      )
    },
  )
}
