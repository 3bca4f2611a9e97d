import type { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Weir } from '../../sdk/src/index.ts'
import { strategyFor } from './dry-run.ts'
import { dataResult, refusal, withErrorResults } from './results.ts'

const WAITS =
  'Nothing has moved. The person or program that holds the key of the wallet reviews the transactions, signs and submits them before expiresAt; otherwise the plan expires and releases what it reserved.'

/** Tools that change something: they plan, and cancel what they planned. Neither can sign or submit. */
export function registerPlanTools(server: McpServer, weir: Weir): void {
  const own = new Set<number>()

  server.registerTool(
    'plan_operation',
    {
      title: 'Plan an operation',
      description:
        'Plans a supply to a strategy or a withdrawal from it, and reserves its amount until it is signed or expires. Moves nothing: a person with the key of the wallet must sign. Call dry_run first, and plan only what the person asked for.',
      inputSchema: z.strictObject({
        type: z.enum(['supply', 'unwind']),
        walletId: z.number().int().positive(),
        strategyId: z.number().int().positive(),
        amount: z
          .string()
          .regex(/^[1-9]\d{0,38}$/)
          .optional()
          .describe('Base units: 1000000 is one USDC. Without it, `unwind` withdraws the whole position.'),
      }),
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
    },
    withErrorResults(async ({ type, walletId, strategyId, amount }) => {
      // Another plan of the wallet may be somebody's: it is never replaced.
      const move = { walletId, strategyId, ifBusy: 'reject' as const }
      if (type === 'unwind') {
        const what = amount === undefined ? { fullWithdrawal: true as const } : { amount }
        return planned(await weir.v1.operations.unwind({ ...move, ...what }))
      }
      if (amount === undefined) return refusal('A supply needs an amount.')
      const { strategy } = await strategyFor(weir, { type, walletId, strategyId, amount: BigInt(amount) })
      if (!strategy) return refusal('The strategy is not on the chain of the wallet.')
      return planned(await weir.v1.operations.supply({ ...move, amount, tokenAddress: strategy.tokenAddress }))
    }),
  )

  server.registerTool(
    'cancel_planned_operation',
    {
      title: 'Cancel a plan of this conversation',
      description: 'Cancels an operation that plan_operation planned in this session, and releases what it reserved.',
      inputSchema: z.strictObject({ operationId: z.number().int().positive() }),
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
    },
    withErrorResults(async ({ operationId }) => {
      if (!own.has(operationId)) return refusal('This session did not plan the operation; its owner can cancel it.')
      return dataResult(await weir.v1.operations.cancel(operationId))
    }),
  )

  function planned(operation: { readonly operationId: number; readonly expiresAt: string | null }) {
    own.add(operation.operationId)
    const { operationId, expiresAt } = operation
    return dataResult(operation, { operationId, expiresAt, waitsFor: WAITS })
  }
}
