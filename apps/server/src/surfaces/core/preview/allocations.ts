import Type from 'typebox'
import { type AllocationView, averagePrincipals, earnedUntil } from '../../../allocations/index.ts'
import { apyFromGain, DAY_MS } from '../../../kernel/index.ts'
import type { Parts } from '../../../operations/index.ts'
import { type App, EVERYONE, envelope, id, ok } from '../../http/index.ts'
import { Amount, amountOf, opWalletFields, twoDigits } from '../formats.ts'
import { Pagination } from '../pagination.ts'
import { dateTime } from '../schemas.ts'
import { allocationQuery, allocationStatus, pageOfAllocations } from '../treasury/allocations.ts'
import { rate, TokenDetail } from './schemas.ts'

const EnhancedAllocation = Type.Object(
  {
    id: id('Allocation id.'),
    opWallet: Type.Object(
      { id: opWalletFields.opWalletId, address: Type.String({ description: 'Address of the wallet.' }) },
      { description: 'The wallet that holds the position.' },
    ),
    token: TokenDetail,
    venue: Type.Object(
      {
        name: Type.String({ description: 'Name of the venue.' }),
        protocol: Type.String({ description: 'Protocol identifier.' }),
      },
      { description: 'The venue of the strategy.' },
    ),
    balances: Type.Object(
      { allocated: Amount, principal: Amount, yield: Amount },
      { description: 'allocated: current value. principal: amount deposited and not yet withdrawn.' },
    ),
    performance: Type.Object(
      {
        currentApy: rate('Current rate of the strategy.'),
        averageApy: rate('APY of the yield so far on the average principal; the current rate within the first day.'),
        lifetimeYield: Amount,
      },
      { description: 'Rates and lifetime yield, realized and unrealized.' },
    ),
    timestamps: Type.Object(
      { createdAt: dateTime('When the position was opened.'), lastUpdated: dateTime('When the value was last read.') },
      { description: 'Timestamps, from the clock of the chain.' },
    ),
    status: allocationStatus,
  },
  { $id: 'EnhancedAllocation', description: "A wallet's position in a strategy." },
)

const EnhancedAllocationList = Type.Object(
  { allocations: Type.Array(EnhancedAllocation, { description: 'Newest first.' }), pagination: Pagination },
  { $id: 'EnhancedAllocationList', description: 'A page of allocations.' },
)

/** `principal` is the average principal in base units. */
function averageApy(allocation: AllocationView, principal: number): number {
  const { realizedYield, yieldEarned, openedAt, apy } = allocation
  const durationMs = earnedUntil(allocation).getTime() - openedAt.getTime()
  if (durationMs < DAY_MS || principal <= 0) return apy
  return apyFromGain(Number(realizedYield + yieldEarned) / principal, durationMs)
}

function present(allocation: AllocationView, averagePrincipal: number) {
  const token = { symbol: allocation.token, decimals: allocation.tokenDecimals }
  return {
    id: allocation.allocationId,
    opWallet: { id: allocation.opWalletId, address: allocation.walletAddress },
    token: { ...token, mintAddress: allocation.tokenAddress },
    venue: { name: allocation.venueName, protocol: allocation.protocol },
    balances: {
      allocated: amountOf(allocation.currentValue, token),
      principal: amountOf(allocation.principal, token),
      yield: amountOf(allocation.yieldEarned, token),
    },
    performance: {
      currentApy: twoDigits(allocation.apy),
      averageApy: twoDigits(averageApy(allocation, averagePrincipal)),
      lifetimeYield: amountOf(allocation.realizedYield + allocation.yieldEarned, token),
    },
    timestamps: {
      createdAt: allocation.openedAt.toISOString(),
      lastUpdated: allocation.lastUpdatedAt.toISOString(),
    },
    status: allocation.status,
  }
}

/** The enhanced list of allocations, which replaces the plain one (spec 2.2 and 4.9). */
export function enhancedAllocationRoutes(app: App, parts: Parts): void {
  app.get(
    '/api/v1/allocations',
    {
      config: {
        access: { surface: 'core', roles: EVERYONE, key: 'read', serviceAccounts: true },
        limit: 'allocations.list',
      },
      schema: {
        tags: ['Preview'],
        operationId: 'listCoreAllocations',
        summary: 'List allocations',
        description:
          'Preview: the enhanced response. Errors: WALLET_NOT_FOUND for an unknown operational wallet; TOKEN_NOT_FOUND for a token that none of the configured chains has.',
        querystring: allocationQuery,
        response: { 200: envelope(EnhancedAllocationList, 'A page of allocations.') },
      },
    },
    async ({ query, credential: { organizationId } }) => {
      const page = await pageOfAllocations(parts, organizationId, query)
      const principals = await averagePrincipals(parts.db, organizationId, page.allocations)
      return ok({
        allocations: page.allocations.map((allocation) =>
          present(allocation, principals.get(allocation.allocationId) ?? 0),
        ),
        pagination: page.pagination,
      })
    },
  )
}
