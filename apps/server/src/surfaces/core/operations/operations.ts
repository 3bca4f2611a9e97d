import Type from 'typebox'
import { BLOCKCHAINS } from '../../../chains/index.ts'
import type { OperationState } from '../../../database/index.ts'
import { formatDecimal } from '../../../kernel/index.ts'
import {
  type ApprovalCount,
  countApprovalsOf,
  exitStepOf,
  listUnfinishedOperationViews,
  type Operation,
  type OperationView,
  operationHistory,
  type Parts,
} from '../../../operations/index.ts'
import {
  type App,
  beforeQuery,
  enumQuery,
  envelope,
  id,
  ok,
  optionalPageQuery,
  pageQuery,
  pageWindowOf,
  totalCount,
} from '../../http/index.ts'
import { byEveryoneAndKeys } from '../access.ts'
import { decimal, enumValueOf, opWalletFields, orNull, percent, percentText, presentOpWalletIds } from '../formats.ts'
import { readPage } from '../pagination.ts'
import { dateTime } from '../schemas.ts'
import { labelOfSubject, walletLabel } from '../wallet-names.ts'
import { operationFilterOf, operationFilterQuery } from './operation-filter.ts'
import { operationStatsRoute } from './operation-stats.ts'

const FINISHED = ['COMPLETED', 'FAILED', 'REJECTED', 'ABORTED'] as const
const UNFINISHED = ['PLANNING', 'PENDING_APPROVAL', 'EXECUTING', 'CONFIRMING'] as const
const STATUSES = [...UNFINISHED, ...FINISHED] as const

export const operationType = Type.Enum(['SUPPLY', 'UNWIND'], {
  description: 'SUPPLY moves tokens into a strategy, UNWIND out of it.',
})
export const exitStep = Type.Enum(['request', 'claim'], {
  description:
    'Only for strategies whose withdrawals take time. request: it requests the money back. claim: it claims the money.',
})
export const exitStepField = (operation: Operation) => {
  const step = exitStepOf(operation)
  return step && { exitStep: step }
}
export const revokesAllowance = Type.Optional(
  decimal('Only if the operation moves nothing and revokes this allowance, which an ended supply left.'),
)
export const revokesAllowanceField = ({ revokesAllowance: allowance, tokenDecimals }: OperationView) =>
  allowance === null ? {} : { revokesAllowance: formatDecimal(allowance, tokenDecimals) }
export const operationStatus = Type.Enum([...STATUSES], {
  $id: 'CoreOperationStatus',
  description:
    'PLANNING: created, funds reserved. PENDING_APPROVAL: waiting for approvals. EXECUTING: ready to sign. CONFIRMING: submitted, not yet final. COMPLETED: final. FAILED, REJECTED, ABORTED: ended without effect, funds released.',
})
export const executor = Type.Enum(['agent', 'client'], {
  description: 'agent: planned by Weir and signed by your custody agent. client: planned and signed by a v1 client.',
})
export const origin = Type.Enum(['rebalancer', 'explicit', 'client'], {
  description:
    'Who requested the operation: the rebalancer, a request on core (explicit), or a request on v1 (client).',
})
export const RequestedBy = orNull(
  Type.Object({
    type: Type.Enum(['user', 'key', 'system', 'service_account'], {
      description:
        'user: a member, on core. key: an API key, on v1. system: Weir itself, such as the rebalancer. service_account: a service account, on core.',
    }),
    id: orNull(id('Id of the actor.'), 'Id of the user, the API key or the service account; null for system.'),
  }),
  'Who requested the operation; null if it was planned before Weir stored this.',
)

const item = {
  id: id('Operation id.'),
  type: operationType,
  status: operationStatus,
  ...opWalletFields,
  walletId: Type.Optional(id('Organization wallet id.')),
  walletAddress: Type.Optional(Type.String({ description: 'Address of the wallet.' })),
  walletLabel: Type.Optional(walletLabel),
  blockchain: Type.Optional(Type.Enum([...BLOCKCHAINS], { description: 'Blockchain, lower case.' })),
  amount: decimal(
    'Amount moved or requested; for a full withdrawal, the current value of the position, or once it ended without moving anything, the value when it was planned.',
  ),
  revokesAllowance,
  token: Type.String({ description: 'Token symbol.' }),
  executor,
  origin,
  requestedBy: Type.Optional(RequestedBy),
  createdAt: dateTime('When the operation was planned.'),
}

const QueueItem = Type.Object(
  {
    ...item,
    estimatedAPY: percentText('Current rate of the strategy.'),
    requiredApprovals: Type.Optional(Type.Integer({ description: 'Number of approvals required; 0 if none.' })),
    approvals: Type.Optional(
      Type.Integer({
        description: 'Number of members who have approved and may still approve; only in PENDING_APPROVAL.',
      }),
    ),
    approvalRule: Type.Optional(
      orNull(Type.String(), 'Name of the approval policy rule that decided; null if none did.'),
    ),
  },
  { $id: 'OperationQueueItem', description: 'An unfinished operation.' },
)
const Queue = Type.Object(
  {
    intents: Type.Array(QueueItem, { description: 'Newest first.' }),
    count: Type.Integer({ description: 'Number of operations in this response.' }),
  },
  { $id: 'OperationQueue', description: 'Unfinished operations.' },
)
const HistoryItem = Type.Object(
  {
    ...item,
    completedAt: orNull(dateTime('When the operation ended.'), 'When the operation ended, whatever its outcome.'),
    txHash: orNull(Type.String(), 'Hash of the last submitted transaction; null if there is none.'),
    actualAPY: orNull(
      percentText('Rate.'),
      "For a supply, the strategy's rate at completion; for an unwind, the annualized yield of the withdrawn amount; null if the operation did not complete.",
    ),
    failureReason: orNull(Type.String(), 'Why the operation ended without effect; null if it completed.'),
  },
  { $id: 'OperationHistoryItem', description: 'A finished operation.' },
)
const History = Type.Object(
  {
    items: Type.Array(HistoryItem, { description: 'Newest first.' }),
    total: Type.Integer({ description: 'Total number of matching operations.' }),
    limit: Type.Integer({ description: 'Maximum number of entries requested.' }),
    offset: Type.Integer({ description: 'Entries skipped.' }),
    hasMore: Type.Boolean({ description: 'Whether more entries follow.' }),
  },
  { $id: 'OperationHistory', description: 'A page of finished operations.' },
)
const presentItem = (operation: OperationView) => ({
  id: operation.operationId,
  type: operation.type,
  status: operation.state,
  ...presentOpWalletIds(operation.opWalletId),
  walletId: operation.walletId,
  walletAddress: operation.walletAddress,
  walletLabel: labelOfSubject(operation),
  blockchain: operation.blockchain as (typeof BLOCKCHAINS)[number],
  amount: formatDecimal(operation.amount, operation.tokenDecimals),
  ...revokesAllowanceField(operation),
  token: operation.token,
  executor: operation.executor,
  origin: operation.origin,
  requestedBy: operation.requestedBy,
  createdAt: operation.createdAt.toISOString(),
})

const presentQueued = (operation: OperationView, count: ApprovalCount | undefined) => ({
  ...presentItem(operation),
  estimatedAPY: percent(operation.estimatedApy),
  requiredApprovals: operation.requiredApprovals,
  ...(count && { approvals: count.approvals }),
  approvalRule: operation.approvalRule,
})

/** Also of an unfinished operation, which has no end yet. */
export function presentFinished(operation: OperationView) {
  const ended = 'completedAt' in operation ? operation : undefined
  return {
    ...presentItem(operation),
    completedAt: ended?.completedAt.toISOString() ?? null,
    txHash: operation.txHash,
    actualAPY: presentActualApy(operation),
    failureReason: ended?.failureReason ?? null,
  }
}

/** Only a completed operation has one, once it is known. */
export const presentActualApy = (operation: Operation | OperationView) =>
  operation.state === 'COMPLETED' && operation.actualApy !== null ? percent(operation.actualApy) : null
export { HistoryItem }

/** Those of a list's states that the request asks for; a state of the other list leaves none. Error: VALIDATION_ERROR. */
function statesOf(status: string | undefined, listed: readonly OperationState[]): readonly OperationState[] {
  if (status === undefined) return listed
  const requested = enumValueOf('status', status, STATUSES)
  return listed.filter((state) => state === requested)
}

const tags = ['Core operations']

/** Operations of both surfaces, listed on core (spec 4.3, contract 7 and 8). */
export function coreOperationRoutes(app: App, parts: Parts): void {
  app.get(
    '/api/core/operations/queue',
    {
      config: byEveryoneAndKeys,
      schema: {
        tags,
        operationId: 'getOperationQueue',
        summary: 'List unfinished operations',
        description:
          'Operations planned on either surface, newest first; all by default, or `limit` at a time. `X-Total-Count` holds the total that matches. Errors: WALLET_NOT_FOUND, TOKEN_NOT_FOUND.',
        querystring: Type.Object({
          status: Type.Optional(
            enumQuery(
              UNFINISHED,
              'Only operations with this status, case-insensitive. The status of a finished operation matches none.',
            ),
          ),
          ...operationFilterQuery,
          ...optionalPageQuery,
          ...beforeQuery,
        }),
        response: { 200: envelope(Queue, 'The queue.') },
      },
    },
    async (request, reply) => {
      const { credential, query } = request
      const filter = await operationFilterOf(parts, credential, query, statesOf(query.status, UNFINISHED))
      const page = { ...pageWindowOf(query), before: query.before }
      const { operations, total } = await listUnfinishedOperationViews(parts, credential.organizationId, filter, page)
      const waiting = operations.filter(({ state }) => state === 'PENDING_APPROVAL')
      const counts = await countApprovalsOf(parts.db, credential.organizationId, waiting)
      totalCount(reply, total)
      const intents = operations.map((each) => presentQueued(each, counts.get(each.operationId)))
      return ok({ intents, count: operations.length })
    },
  )

  app.get(
    '/api/core/operations/history',
    {
      config: byEveryoneAndKeys,
      schema: {
        tags,
        operationId: 'getOperationHistory',
        summary: 'List finished operations',
        description: 'Operations planned on either surface, newest first. Errors: WALLET_NOT_FOUND, TOKEN_NOT_FOUND.',
        querystring: Type.Object({
          status: Type.Optional(
            enumQuery(
              FINISHED,
              'Only operations with this status, case-insensitive. The status of an unfinished operation matches none.',
            ),
          ),
          ...operationFilterQuery,
          ...pageQuery,
          ...beforeQuery,
        }),
        response: { 200: envelope(History, 'A page of the history.') },
      },
    },
    async ({ query, credential }) => {
      const { limit, offset } = query
      const filter = await operationFilterOf(parts, credential, query, statesOf(query.status, FINISHED))
      const { page, items, hasMore } = await readPage(
        query,
        (window) => operationHistory(parts, credential.organizationId, filter, window),
        ({ operations }) => operations,
      )
      return ok({ items: items.map(presentFinished), total: page.total, limit, offset, hasMore })
    },
  )

  operationStatsRoute(app, parts)
}
