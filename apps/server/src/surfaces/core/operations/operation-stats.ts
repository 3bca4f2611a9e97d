import Type from 'typebox'
import { formatDecimal, SUM_DECIMALS } from '../../../kernel/index.ts'
import { type OperationStatistics, operationStatistics, type Parts } from '../../../operations/index.ts'
import { type App, envelope, ok } from '../../http/index.ts'
import { byEveryoneAndKeys } from '../access.ts'
import { decimal, percent, percentText } from '../formats.ts'

const Stats = Type.Object(
  {
    totalOperations: Type.Integer({ description: 'All operations.' }),
    completedOperations: Type.Integer({ description: 'COMPLETED.' }),
    failedOperations: Type.Integer({ description: 'FAILED, REJECTED and ABORTED.' }),
    rejectedOperations: Type.Optional(
      Type.Integer({
        description: 'REJECTED: part of failedOperations that a person or a rule of the policy stopped.',
      }),
    ),
    abortedOperations: Type.Optional(
      Type.Integer({ description: 'ABORTED: part of failedOperations that was cancelled, replaced or given up.' }),
    ),
    pendingOperations: Type.Integer({ description: 'Not finished.' }),
    totalDeployed: decimal('Total amount deployed by completed supplies, in USD.'),
    averageCompletionTime: Type.String({
      pattern: '^[0-9]+\\.[0-9]$',
      description: 'Seconds from planning to completion, with one decimal place; "0.0" if none completed.',
    }),
    successRate: percentText(
      'Share of finished operations that completed, counting rejected and aborted ones; "0.00%" if none finished.',
    ),
  },
  { $id: 'OperationStats', description: "Statistics of the organization's operations." },
)

function presentStats(statistics: OperationStatistics) {
  const { total, completed, failed, rejected, aborted, pending, deployed, averageCompletionMs } = statistics
  const finished = completed + failed
  return {
    totalOperations: total,
    completedOperations: completed,
    failedOperations: failed,
    rejectedOperations: rejected,
    abortedOperations: aborted,
    pendingOperations: pending,
    totalDeployed: formatDecimal(deployed, SUM_DECIMALS),
    averageCompletionTime: (averageCompletionMs / 1_000).toFixed(1),
    successRate: percent(finished === 0 ? 0 : completed / finished),
  }
}

/** How many operations ended how: `/api/core/operations/stats`. */
export function operationStatsRoute(app: App, parts: Pick<Parts, 'db'>): void {
  app.get(
    '/api/core/operations/stats',
    {
      config: byEveryoneAndKeys,
      schema: {
        tags: ['Core operations'],
        operationId: 'getOperationStats',
        summary: 'Get operation statistics',
        description: 'Counts all operations of both surfaces.',
        response: { 200: envelope(Stats, 'The statistics.') },
      },
    },
    async ({ credential }) => ok(presentStats(await operationStatistics(parts, credential.organizationId))),
  )
}
