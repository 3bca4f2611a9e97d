import Type from 'typebox'
import { formatDecimal, SUM_DECIMALS } from '../../../kernel/index.ts'
import {
  listUnfinishedOperationViews,
  type OperationStatistics,
  type OperationView,
  operationHistory,
  operationStatistics,
  type Parts,
} from '../../../operations/index.ts'
import { type App, envelope, id, ok, optionalPageQuery, pageQuery, pageWindowOf, totalCount } from '../../http/index.ts'
import { byEveryoneAndKeys } from '../access.ts'
import { decimal, enumValueOf, opWalletFields, orNull, percent, percentText, presentOpWalletIds } from '../formats.ts'
import { dateTime } from '../schemas.ts'

const FINISHED = ['COMPLETED', 'FAILED', 'REJECTED', 'ABORTED'] as const
const STATUSES = ['PLANNING', 'PENDING_APPROVAL', 'EXECUTING', 'CONFIRMING', ...FINISHED] as const

export const operationType = Type.Enum(['SUPPLY', 'UNWIND'], { description: 'Into a strategy, or out of it.' })
export const operationStatus = Type.Enum([...STATUSES], {
  $id: 'CoreOperationStatus',
  description:
    'PLANNING: created, funds reserved. PENDING_APPROVAL: people have to approve. EXECUTING: to be signed. CONFIRMING: on its way to the chain. COMPLETED: final. FAILED, REJECTED, ABORTED: ended without effect, funds released.',
})
export const executor = Type.Enum(['agent', 'client'], {
  description: 'agent: planned here and signed by your custody agent. client: planned and signed by a caller of v1.',
})
export const origin = Type.Enum(['rebalancer', 'explicit', 'client'], {
  description: 'Who asked: the rebalancer, a request on the core surface, or one on v1.',
})

const item = {
  id: id('Operation id.'),
  type: operationType,
  status: operationStatus,
  ...opWalletFields,
  amount: decimal('What moved, or what is asked for; of a whole position what it is worth now.'),
  token: Type.String({ description: 'Token symbol.' }),
  executor,
  origin,
  createdAt: dateTime('When it was planned.'),
}

const QueueItem = Type.Object(
  { ...item, estimatedAPY: percentText("The strategy's rate now.") },
  { $id: 'OperationQueueItem', description: 'An operation that is not finished.' },
)
const Queue = Type.Object(
  {
    intents: Type.Array(QueueItem, { description: 'Newest first.' }),
    count: Type.Integer({ description: 'How many are shown.' }),
  },
  { $id: 'OperationQueue', description: 'Operations that are not finished.' },
)
const HistoryItem = Type.Object(
  {
    ...item,
    completedAt: orNull(dateTime('When it ended.'), 'When it ended, whatever way.'),
    txHash: orNull(Type.String(), 'Of its last transaction that was sent; null when none was.'),
    actualAPY: orNull(
      percentText('Rate.'),
      "Of a supply the strategy's rate at completion, of an unwind the annualized yield of what came back; null for what did not complete.",
    ),
    failureReason: orNull(Type.String(), 'Why it ended without effect; null for what completed.'),
  },
  { $id: 'OperationHistoryItem', description: 'An operation that is finished.' },
)
const History = Type.Object(
  {
    items: Type.Array(HistoryItem, { description: 'Newest first.' }),
    total: Type.Integer({ description: 'How many match.' }),
    limit: Type.Integer({ description: 'Entries asked for.' }),
    offset: Type.Integer({ description: 'Entries skipped.' }),
    hasMore: Type.Boolean({ description: 'Whether there are more behind these.' }),
  },
  { $id: 'OperationHistory', description: 'A page of finished operations.' },
)
const Stats = Type.Object(
  {
    totalOperations: Type.Integer({ description: 'All operations.' }),
    completedOperations: Type.Integer({ description: 'COMPLETED.' }),
    failedOperations: Type.Integer({ description: 'FAILED, REJECTED and ABORTED.' }),
    pendingOperations: Type.Integer({ description: 'Not finished.' }),
    totalDeployed: decimal('What completed supplies deployed in all, in USD.'),
    averageCompletionTime: Type.String({
      pattern: '^[0-9]+\\.[0-9]$',
      description: 'Seconds from planning to completion, with one decimal; "0.0" when nothing completed.',
    }),
    successRate: percentText('Completed ones of the finished; "0.00%" when none finished.'),
  },
  { $id: 'OperationStats', description: 'How the operations of the organization went.' },
)

const presentItem = (operation: OperationView) => ({
  id: operation.operationId,
  type: operation.type,
  status: operation.state,
  ...presentOpWalletIds(operation.opWalletId),
  amount: formatDecimal(operation.amount, operation.tokenDecimals),
  token: operation.token,
  executor: operation.executor,
  origin: operation.origin,
  createdAt: operation.createdAt.toISOString(),
})

const presentQueued = (operation: OperationView) => ({
  ...presentItem(operation),
  estimatedAPY: percent(operation.estimatedApy),
})

export const presentFinished = (operation: OperationView) => ({
  ...presentItem(operation),
  completedAt: operation.completedAt?.toISOString() ?? null,
  txHash: operation.txHash,
  actualAPY: operation.actualApy === null ? null : percent(operation.actualApy),
  failureReason: operation.failureReason,
})
export { HistoryItem }

function presentStats(statistics: OperationStatistics) {
  const { total, completed, failed, pending, deployed, averageCompletionMs } = statistics
  const finished = completed + failed
  return {
    totalOperations: total,
    completedOperations: completed,
    failedOperations: failed,
    pendingOperations: pending,
    totalDeployed: formatDecimal(deployed, SUM_DECIMALS),
    averageCompletionTime: (averageCompletionMs / 1_000).toFixed(1),
    successRate: percent(finished === 0 ? 0 : completed / finished),
  }
}

const tags = ['Core operations']

/** Operations of both surfaces, as the core one lists them (spec 4.3, contract 7 and 8). */
export function coreOperationRoutes(app: App, parts: Parts): void {
  app.get(
    '/api/core/operations/queue',
    {
      config: byEveryoneAndKeys,
      schema: {
        tags,
        operationId: 'getOperationQueue',
        summary: 'Operations that are not finished',
        description:
          'Planned on either surface, newest first; all of them, unless `limit` is sent. `X-Total-Count` tells how many there are.',
        querystring: Type.Object({ ...optionalPageQuery }),
        response: { 200: envelope(Queue, 'The queue.') },
      },
    },
    async (request, reply) => {
      const { organizationId } = request.credential
      const { operations, total } = await listUnfinishedOperationViews(
        parts,
        organizationId,
        pageWindowOf(request.query),
      )
      totalCount(reply, total)
      return ok({ intents: operations.map(presentQueued), count: operations.length })
    },
  )

  app.get(
    '/api/core/operations/history',
    {
      config: byEveryoneAndKeys,
      schema: {
        tags,
        operationId: 'getOperationHistory',
        summary: 'Operations that are finished',
        description: 'Planned on either surface, newest first.',
        querystring: Type.Object({
          status: Type.Optional(
            Type.String({
              description: `Only those of one status, in any case: ${FINISHED.join(', ')}. One of an operation that is not finished matches nothing here.`,
              examples: ['COMPLETED'],
            }),
          ),
          ...pageQuery,
        }),
        response: { 200: envelope(History, 'A page of the history.') },
      },
    },
    async ({ query: { status, limit, offset }, credential }) => {
      const asked = status === undefined ? FINISHED : [enumValueOf('status', status, STATUSES)]
      const states = FINISHED.filter((state) => asked.some((word) => word === state))
      const { operations, total } =
        states.length === 0
          ? { operations: [], total: 0 }
          : await operationHistory(parts, credential.organizationId, states, { limit, offset })
      const items = operations.map(presentFinished)
      return ok({ items, total, limit, offset, hasMore: offset + items.length < total })
    },
  )

  app.get(
    '/api/core/operations/stats',
    {
      config: byEveryoneAndKeys,
      schema: {
        tags,
        operationId: 'getOperationStats',
        summary: 'Statistics of all operations',
        description: 'Of both surfaces, since the start.',
        response: { 200: envelope(Stats, 'The statistics.') },
      },
    },
    async ({ credential }) => ok(presentStats(await operationStatistics(parts, credential.organizationId))),
  )
}
