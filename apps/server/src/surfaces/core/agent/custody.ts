import Type from 'typebox'
import { type AgentAction, type AgentParts, getAction, listActions, requestWallet } from '../../../agents/index.ts'
import { BLOCKCHAINS } from '../../../chains/index.ts'
import { WALLET_LABEL_LENGTH_MAX } from '../../../kernel/index.ts'
import {
  type App,
  blockchainText,
  enumQuery,
  envelope,
  id,
  idParams,
  ok,
  pageQuery,
  runVerb,
} from '../../http/index.ts'
import { byAdminsAndServiceAccounts, byEveryoneAndServiceAccounts } from '../access.ts'
import { enumValueOf, orNull } from '../formats.ts'
import { Pagination, paginationOf } from '../pagination.ts'
import { dateTime } from '../schemas.ts'

const STATUSES = ['PENDING', 'SUCCESS', 'FAILED'] as const

export const actionType = Type.Enum(['CREATE_WALLET'], { description: 'Kind of action.' })
export const actionStatus = Type.Enum([...STATUSES], {
  $id: 'CustodyActionStatus',
  description: 'PENDING until an agent reports; then SUCCESS or FAILED.',
})
export const actionPayload = Type.Object(
  {
    blockchain: blockchainText('Blockchain of the wallet, in lower case.'),
    label: Type.String({ description: 'Name of the wallet.' }),
  },
  { description: 'Parameters of the action.' },
)
export const actionResult = orNull(
  Type.Object({
    address: Type.Optional(Type.String({ description: 'Address of the new wallet.' })),
    signatureId: Type.Optional(Type.String({ description: 'Identifier of the key in the custody system.' })),
    error: Type.Optional(Type.String({ description: 'Why it failed.' })),
  }),
  'Result that the agent reported; null until then.',
)

const CustodyAction = Type.Object(
  {
    id: id('Action id.'),
    type: actionType,
    payload: actionPayload,
    status: actionStatus,
    result: actionResult,
    orgWalletId: orNull(id('Wallet id.'), 'The new organization wallet; null until the agent reports it.'),
    createdAt: dateTime('When the action was requested.'),
    reportedAt: orNull(dateTime('When an agent reported.'), 'When an agent reported; null until then.'),
  },
  { $id: 'CustodyAction', description: 'An action requested from your custody agent.' },
)
const CustodyActions = Type.Object(
  {
    actions: Type.Array(CustodyAction, { description: 'Newest first.' }),
    pagination: Pagination,
  },
  { $id: 'CustodyActionList', description: 'A page of actions.' },
)

/** The reported result or error; `null` if there is none yet. */
export function presentResult(action: AgentAction): { address?: string; signatureId?: string; error?: string } | null {
  if (action.status === 'SUCCESS') return action.result
  return action.status === 'FAILED' && action.error !== null ? { error: action.error } : null
}

const presentAction = (action: AgentAction) => ({
  id: action.actionId,
  type: action.type,
  payload: { ...action.payload },
  status: action.status,
  result: presentResult(action),
  orgWalletId: action.status === 'SUCCESS' ? action.walletId : null,
  createdAt: action.createdAt.toISOString(),
  reportedAt: action.status === 'PENDING' ? null : action.reportedAt.toISOString(),
})

const tags = ['Custody']

/** Actions that users request from the organization's custody agent (contract 7). */
export function custodyRoutes(app: App, parts: AgentParts): void {
  app.post(
    '/api/core/custody/actions/create-wallet',
    {
      config: {
        ...byAdminsAndServiceAccounts,
        idempotent: 'plain',
        audit: { details: ['body.blockchain', 'body.label'] },
      },
      schema: {
        tags,
        operationId: 'createWalletByAgent',
        summary: 'Create a wallet through your agent',
        description:
          'Queues a CREATE_WALLET action. Your custody agent generates the key, which never leaves it, and reports the address, which becomes an organization wallet with this label. Returns 403 FORBIDDEN if the default wallet profile does not allow the chain.',
        body: Type.Object({
          blockchain: Type.Enum([...BLOCKCHAINS], { description: 'Blockchain of the wallet.' }),
          label: Type.String({ minLength: 1, maxLength: WALLET_LABEL_LENGTH_MAX, description: 'Name of the wallet.' }),
        }),
        response: { 201: envelope(CustodyAction, 'The action.') },
      },
    },
    async (request, reply) => {
      const present = (action: AgentAction) => ok(presentAction(action))
      const asked = { ...request.body, organizationId: request.credential.organizationId }
      return runVerb(reply, 201, present, (transact) => requestWallet(parts, asked, transact))
    },
  )

  app.get(
    '/api/core/custody/actions',
    {
      config: byEveryoneAndServiceAccounts,
      schema: {
        tags,
        operationId: 'listCustodyActions',
        summary: 'List actions of your agent',
        description: 'Newest first.',
        querystring: Type.Object({
          ...pageQuery,
          status: Type.Optional(enumQuery(STATUSES, 'Only actions with this status, case-insensitive.')),
        }),
        response: { 200: envelope(CustodyActions, 'A page of actions.') },
      },
    },
    async (request) => {
      const { limit, offset, status } = request.query
      const { actions, total } = await listActions(parts, request.credential.organizationId, {
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
      config: byEveryoneAndServiceAccounts,
      schema: {
        tags,
        operationId: 'getCustodyAction',
        summary: 'Get an action',
        description: 'Error: NOT_FOUND.',
        params: idParams('Action id.'),
        response: { 200: envelope(CustodyAction, 'The action.') },
      },
    },
    async (request) => ok(presentAction(await getAction(parts, request.credential.organizationId, request.params.id))),
  )
}
