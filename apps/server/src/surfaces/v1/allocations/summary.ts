import Type from 'typebox'
import { positionTotals } from '../../../allocations/index.ts'
import { scopeOf } from '../../../identity/index.ts'
import type { Parts } from '../../../operations/index.ts'
import { requireConfiguredToken } from '../../../wallets/index.ts'
import type { App } from '../../http/index.ts'
import { baseUnits, blockchain, blockchainFilter, blockchainQuery } from '../schemas.ts'

const AllocationSummary = Type.Object(
  {
    totals: Type.Array(
      Type.Object({
        blockchain,
        token: Type.String({ description: 'Symbol.' }),
        tokenAddress: Type.String({ description: 'Token contract address.' }),
        openPositions: Type.Integer({ description: 'Number of open positions.' }),
        principal: baseUnits('Amount deposited and not yet withdrawn.'),
        currentValue: baseUnits('Current value of the open positions, including yield.'),
        yieldEarned: baseUnits('currentValue minus principal.'),
        lifetimeYield: baseUnits(
          'Yield since the first deposit, realized and unrealized, closed positions included; negative for a loss.',
        ),
      }),
      { description: 'One entry for each token of each blockchain that was ever supplied.' },
    ),
  },
  { $id: 'AllocationSummary', description: 'Totals of all wallets that the key may see.' },
)

/** Totals over all wallets on v1, beside the lists by wallet of spec 4.6. */
export function allocationSummaryRoutes(app: App, parts: Parts): void {
  app.get(
    '/v1/allocations/summary',
    {
      config: { access: { surface: 'v1', needs: 'read', permission: 'read' }, limit: 'v1.read' },
      schema: {
        tags: ['Allocations'],
        operationId: 'getAllocationSummary',
        summary: 'Get the totals of all wallets',
        description:
          'Sums over every wallet of the organization, or of the profile of a profile-scoped key, by blockchain and token.',
        querystring: Type.Object({ blockchain: blockchainQuery }),
        response: { 200: AllocationSummary },
      },
    },
    async ({ query, credential }) => {
      const totals = await positionTotals(parts.db, scopeOf(credential), blockchainFilter(query.blockchain))
      return {
        totals: totals.map((sum) => ({
          blockchain: sum.blockchain as (typeof blockchain)['enum'][number],
          token: requireConfiguredToken(parts.chains, sum.blockchain, sum.tokenAddress).symbol,
          tokenAddress: sum.tokenAddress,
          openPositions: sum.openPositions,
          principal: sum.principal.toString(),
          currentValue: sum.currentValue.toString(),
          yieldEarned: (sum.currentValue - sum.principal).toString(),
          lifetimeYield: sum.lifetimeYield.toString(),
        })),
      }
    },
  )
}
