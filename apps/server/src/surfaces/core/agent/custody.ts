import Type from 'typebox'
import { type AgentAction, type AgentParts, getAction, listActions, requestWallet } from '../../../agents/index.ts'
import { BLOCKCHAINS } from '../../../chains/index.ts'
import { type App, envelope, id, idParams, ok, pageQuery, runVerb, userCredentialOf } from '../../http/index.ts'
import { byAdmins, byEveryone } from '../access.ts'
import { enumValueOf, orNull } from '../formats.ts'
import { Pagination, paginationOf } from '../pagination.ts'
import { dateTime } from '../schemas.ts'

const STATUSES = ['PENDING', 'SUCCESS', 'FAILED'] as const
const LABEL_LENGTH_MAX = 100

export const actionType = Type.Enum(['CREATE_WALLET'], { description: 'What the agent is asked to do.' })
export const actionStatus = Type.Enum([...STATUSES], {
  description: 'PENDING until an agent reports; then SUCCESS or FAILED.',
})
export const actionPayload = Type.Object(
  {
    blockchain: Type.String({ description: 'Chain that the wallet is for, in lower case.' }),
    label: Type.String({ description: 'Name of the wallet.' }),
  },
  { description: 'What it needs to know.' },
)
export const actionResult = orNull(
  Type.Object({
    address: Type.Optional(Type.String({ description: 'Address of the wallet that was made.' })),
    signatureId: Type.Optional(Type.String({ description: 'What the custody calls its key.' })),
    error: Type.Optional(Type.String({ description: 'Why it failed.' })),
  }),
  'What the agent reported; null until it did.',
)

const CustodyAction = Type.Object(
  {
    id: id('Action id.'),
    type: actionType,
    payload: actionPayload,
    status: actionStatus,
    result: actionResult,
    orgWalletId: orNull(id('Wallet id.'), 'The organization wallet that came of it; null until then.'),
    createdAt: dateTime('When it was asked for.'),
    reportedAt: orNull(dateTime('When an agent reported.'), 'When an agent reported; null until then.'),
  },
  { $id: 'CustodyAction', description: 'Something that your custody agent is asked to do.' },
)
const CustodyActions = Type.Object(
  {
    actions: Type.Array(CustodyAction, { description: 'Newest first.' }),
    pagination: Pagination,
  },
  { $id: 'CustodyActionList', description: 'A page of actions.' },
)

/** A result as it was reported, or the error. */
export function presentResult({
  result,
  error,
}: AgentAction): { address?: string; signatureId?: string; error?: string } | null {
  return result ?? (error === null ? null : { error })
}

const presentAction = (action: AgentAction) => ({
  id: action.actionId,
  type: action.type,
  payload: { ...action.payload },
  status: action.status,
  result: presentResult(action),
  orgWalletId: action.walletId,
  createdAt: action.createdAt.toISOString(),
  reportedAt: action.reportedAt?.toISOString() ?? null,
})

const tags = ['Custody']

/** What the organization asks its custody agent to do besides signing (contract 7). */
export function custodyRoutes(app: App, parts: AgentParts): void {
  app.post(
    '/api/core/custody/actions/create-wallet',
    {
      config: {
        ...byAdmins,
        idempotent: 'plain',
        audit: { details: ['body.blockchain', 'body.label'] },
      },
      schema: {
        tags,
        operationId: 'createWalletByAgent',
        summary: 'Let your agent make a wallet',
        description:
          'Queues the action CREATE_WALLET: your custody agent makes the key, which never leaves it, and reports the address, which becomes an organization wallet with this label. 403 FORBIDDEN when the default wallet profile does not allow the chain.',
        body: Type.Object({
          blockchain: Type.Enum([...BLOCKCHAINS], { description: 'Chain that the wallet is for.' }),
          label: Type.String({ minLength: 1, maxLength: LABEL_LENGTH_MAX, description: 'Name of the wallet.' }),
        }),
        response: { 201: envelope(CustodyAction, 'The action.') },
      },
    },
    async (request, reply) => {
      const present = (action: AgentAction) => ok(presentAction(action))
      const asked = { ...request.body, organizationId: userCredentialOf(request).organizationId }
      return runVerb(reply, 201, present, (transact) => requestWallet(parts, asked, transact))
    },
  )

  app.get(
    '/api/core/custody/actions',
    {
      config: byEveryone,
      schema: {
        tags,
        operationId: 'listCustodyActions',
        summary: 'List what your agent was asked to do',
        description: 'Newest first.',
        querystring: Type.Object({
          ...pageQuery,
          status: Type.Optional(Type.String({ description: 'PENDING, SUCCESS or FAILED, in any case.' })),
        }),
        response: { 200: envelope(CustodyActions, 'A page of actions.') },
      },
    },
    async (request) => {
      const { limit, offset, status } = request.query
      const { actions, total } = await listActions(parts, userCredentialOf(request).organizationId, {
        limit,
        offset,
        status: status === undefined ? undefined : enumValueOf('status', status, STATUSES),
      })
      const pagination = paginationOf({ limit, offset }, total, actions.length)
      return ok({ actions: actions.map(presentAction), pagination })
    },
  )

  app.get(
    '/api/core/custody/actions/:id',
    {
      config: byEveryone,
      schema: {
        tags,
        operationId: 'getCustodyAction',
        summary: 'Get an action',
        description: 'Error: NOT_FOUND.',
        params: idParams('Action id.'),
        response: { 200: envelope(CustodyAction, 'The action.') },
      },
    },
    async (request) =>
      ok(presentAction(await getAction(parts, userCredentialOf(request).organizationId, request.params.id))),
  )
}
