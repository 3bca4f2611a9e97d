import Type from 'typebox'
import { BLOCKCHAINS } from '../../../chains/index.ts'
import {
  addDestination,
  type Destination,
  type DestinationParts,
  enforceDestinations,
  listDestinations,
  removeDestination,
} from '../../../destinations/index.ts'
import { NAME_LENGTH_MAX } from '../../../kernel/index.ts'
import { type App, ChangeRequested, envelope, id, idParams, ok, runVerb, userCredentialOf } from '../../http/index.ts'
import { byAdminsWithStepUp, byEveryoneAndServiceAccounts } from '../access.ts'
import { Deleted, dateTime, presentDeleted } from '../schemas.ts'

const blockchain = Type.Enum([...BLOCKCHAINS], { description: 'Blockchain of the address.' })

const DestinationData = Type.Object(
  {
    id: id('Destination id.'),
    blockchain,
    address: Type.String({ description: "Address, in the blockchain's canonical spelling." }),
    label: Type.String({ description: 'What the address is.' }),
    createdBy: id('The user who added it.'),
    createdAt: dateTime('When it was added.'),
  },
  { $id: 'Destination', description: 'An address on the allow-list of destinations.' },
)
const enforced = Type.Boolean({
  description: 'Whether tokens may be sent only to addresses on the list. False by default.',
})
const Enforcement = Type.Object(
  { enforced },
  { $id: 'DestinationEnforcement', description: 'Whether the list is enforced.' },
)

const present = (destination: Destination) => ({ ...destination, createdAt: destination.createdAt.toISOString() })

const tags = ['Destinations']
const changes = { ...byAdminsWithStepUp, change: { kind: 'destinations' } } as const

/** The allow-list of destinations: `/api/core/destinations`. */
export function destinationRoutes(app: App, parts: DestinationParts): void {
  app.get(
    '/api/core/destinations',
    {
      config: byEveryoneAndServiceAccounts,
      schema: {
        tags,
        operationId: 'listDestinations',
        summary: 'List destinations',
        description: 'The allow-list of the organization, newest first, and whether it is enforced.',
        response: {
          200: envelope(
            Type.Object({ enforced, destinations: Type.Array(DestinationData, { description: 'The list.' }) }),
            'The allow-list.',
          ),
        },
      },
    },
    async (request) => {
      const { organizationId } = request.credential
      const list = await listDestinations(parts.db, organizationId)
      return ok({ enforced: list.enforced, destinations: list.destinations.map(present) })
    },
  )

  app.post(
    '/api/core/destinations',
    {
      config: { ...changes, idempotent: 'plain', audit: { details: ['data.blockchain', 'data.address'] } },
      schema: {
        tags,
        operationId: 'addDestination',
        summary: 'Add a destination',
        description:
          'Allows an address on one blockchain. Errors: INVALID_ADDRESS; CONFLICT if the address is already on the list, in any spelling, or the list has 1,000 addresses.',
        body: Type.Object({
          blockchain,
          address: Type.String({ minLength: 1, maxLength: NAME_LENGTH_MAX, description: 'Address.' }),
          label: Type.String({ minLength: 1, maxLength: NAME_LENGTH_MAX, description: 'What the address is.' }),
        }),
        response: { 201: envelope(DestinationData, 'The new destination.'), 202: ChangeRequested },
      },
    },
    async (request, reply) =>
      runVerb(
        reply,
        201,
        (destination: Destination) => ok(present(destination)),
        (transact) => addDestination(parts, userCredentialOf(request), request.body, transact),
      ),
  )

  app.delete(
    '/api/core/destinations/:id',
    {
      config: changes,
      schema: {
        tags,
        operationId: 'removeDestination',
        summary: 'Remove a destination',
        description:
          'From now on no account can be opened that sends there, if the list is enforced. Accounts that already send there are not closed. Unknown destination: 404 NOT_FOUND.',
        params: idParams('Destination id.'),
        response: { 200: envelope(Deleted, 'The destination was removed.'), 202: ChangeRequested },
      },
    },
    async (request, reply) => {
      const { organizationId } = userCredentialOf(request)
      return runVerb(reply, 200, presentDeleted, (transact) =>
        removeDestination(parts, { organizationId, destinationId: request.params.id }, transact),
      )
    },
  )

  app.put(
    '/api/core/destinations/enforcement',
    {
      config: { ...changes, audit: { details: ['data.enforced'] } },
      schema: {
        tags,
        operationId: 'enforceDestinations',
        summary: 'Enforce the allow-list',
        description:
          'While the list is enforced, opening an on-ramp or off-ramp account for a wallet whose address is not on it returns 403 FORBIDDEN with `details.reason` `destination_not_allowed`.',
        body: Type.Object({ enforced }),
        response: { 200: envelope(Enforcement, 'Whether the list is enforced.'), 202: ChangeRequested },
      },
    },
    async (request, reply) => {
      const { organizationId } = userCredentialOf(request)
      const presentEnforced = (isEnforced: boolean) => ok({ enforced: isEnforced })
      return runVerb(reply, 200, presentEnforced, (transact) =>
        enforceDestinations(parts, { organizationId, enforced: request.body.enforced }, transact),
      )
    },
  )
}
