import Type from 'typebox'
import {
  type AllocationPage,
  type AllocationPerformance,
  type AllocationView,
  getAllocation,
  listAllocations,
  type PortfolioSummary,
} from '../../../allocations/index.ts'
import { BLOCKCHAINS } from '../../../chains/index.ts'
import { formatDecimal, SUM_DECIMALS } from '../../../kernel/index.ts'
import { listPositionOperationViews, type OperationView, type Parts } from '../../../operations/index.ts'
import { type AwaitedWithdrawal, readAwaited } from '../../../rebalancing/index.ts'
import { requireOperationalWallet } from '../../../wallets/index.ts'
import { type App, beforeQuery, EVERYONE, enumQuery, envelope, id, idParams, ok, pageQuery } from '../../http/index.ts'
import {
  decimal,
  enumValueOf,
  opWalletFields,
  orNull,
  percent,
  percentText,
  presentOpWalletIds,
  requestedOpWalletId,
} from '../formats.ts'
import { HistoryItem, presentFinished } from '../operations/operations.ts'
import { Pagination, paginationOf, readPage } from '../pagination.ts'
import { dateTime } from '../schemas.ts'
import { requireToken } from '../token-filter.ts'
import { labelOfSubject, walletLabel } from '../wallet-names.ts'
import { AwaitedWithdrawalData, presentAwaited } from './awaited.ts'

const STATUSES = ['ACTIVE', 'UNWINDING', 'CLOSED'] as const

export const allocationStatus = Type.Enum([...STATUSES], {
  description: 'UNWINDING from when a withdrawal is planned until it ends. CLOSED when the position is empty.',
})

const fields = {
  id: id('Allocation id.'),
  ...opWalletFields,
  strategyId: id('Strategy.'),
  strategy: Type.Optional(Type.String({ description: 'Name of the strategy.' })),
  token: Type.String({ description: 'Token symbol.' }),
  protocol: Type.String({ description: 'Protocol identifier.' }),
  venue: Type.String({ description: 'Name of the venue.' }),
  allocatedBase: decimal('Amount deposited and not yet withdrawn.'),
  currentValue: decimal('Current value, including yield.'),
  yieldEarned: decimal('currentValue minus allocatedBase; rounding can make it negative right after a deposit.'),
  withdrawable: Type.Optional(
    orNull(decimal('Amount.'), 'What the protocol would pay out of currentValue at withdrawableAt; null: not known.'),
  ),
  withdrawableAt: Type.Optional(
    orNull(dateTime('Time.'), 'When withdrawable was read, from the clock of the chain; null: not known.'),
  ),
  awaitedWithdrawal: Type.Optional(AwaitedWithdrawalData),
  apy: percentText('Current rate of the strategy.'),
  status: allocationStatus,
  createdAt: dateTime('When the position was opened, from the clock of the chain.'),
  lastUpdatedAt: dateTime('When the value was last read, from the clock of the chain.'),
}

const CoreAllocation = Type.Object(
  {
    ...fields,
    walletId: Type.Optional(id('Organization wallet id.')),
    walletAddress: Type.Optional(Type.String({ description: 'Address of the wallet.' })),
    walletLabel: Type.Optional(walletLabel),
    blockchain: Type.Optional(Type.Enum([...BLOCKCHAINS], { description: 'Blockchain, lower case.' })),
  },
  { $id: 'CoreAllocation', description: "A wallet's position in a strategy." },
)

const Portfolio = Type.Object(
  {
    totalDeployed: decimal('Sum of allocatedBase, in USD.'),
    totalValue: decimal('Sum of currentValue, in USD.'),
    totalYieldEarned: decimal('Sum of yieldEarned, in USD.'),
    averageAPY: percentText('Average rate, weighted by value.'),
    activeAllocations: Type.Integer({ description: 'Number of ACTIVE allocations.' }),
  },
  {
    $id: 'PortfolioSummary',
    description: 'Totals over all ACTIVE and UNWINDING allocations that match the filters other than status.',
  },
)

const CoreAllocationList = Type.Object(
  {
    allocations: Type.Array(CoreAllocation, { description: 'Newest first.' }),
    portfolioSummary: Portfolio,
    pagination: Pagination,
  },
  { $id: 'CoreAllocationList', description: 'A page of allocations with the portfolio.' },
)

const CoreAllocationDetail = Type.Object(
  {
    ...fields,
    wallet: Type.Object(
      {
        id: id('Organization wallet id.'),
        address: Type.String({ description: 'Address of the wallet.' }),
        label: Type.Optional(walletLabel),
        blockchain: Type.Enum([...BLOCKCHAINS], { description: 'Blockchain, lower case.' }),
      },
      { description: 'The wallet that holds the position.' },
    ),
    performance: Type.Object(
      {
        dailyYield: decimal('Earned in the last 24 hours.'),
        weeklyYield: decimal('Earned in the last 7 days.'),
        monthlyYield: decimal('Earned in the last 30 days.'),
      },
      {
        description:
          'Realized and unrealized yield up to now, from the clock of the chain; partial days count in proportion.',
      },
    ),
    operations: Type.Array(HistoryItem, {
      description: 'Past and unfinished operations of the position, newest first, at most 100.',
    }),
  },
  { $id: 'CoreAllocationDetail', description: 'An allocation in detail.' },
)

const presentAllocation = (allocation: AllocationView, awaited: AwaitedWithdrawal | undefined) => {
  const amount = (units: bigint) => formatDecimal(units, allocation.tokenDecimals)
  const withdrawable = allocation.status === 'CLOSED' ? null : allocation.withdrawable
  return {
    id: allocation.allocationId,
    ...presentOpWalletIds(allocation.opWalletId),
    strategyId: allocation.strategyId,
    strategy: allocation.strategyName,
    token: allocation.token,
    protocol: allocation.protocol,
    venue: allocation.venueName,
    allocatedBase: amount(allocation.principal),
    currentValue: amount(allocation.currentValue),
    yieldEarned: amount(allocation.yieldEarned),
    withdrawable: withdrawable && amount(withdrawable.amount),
    withdrawableAt: withdrawable?.at.toISOString() ?? null,
    ...(awaited && {
      awaitedWithdrawal: presentAwaited(awaited, allocation.currentValue, allocation.tokenDecimals),
    }),
    apy: percent(allocation.apy),
    status: allocation.status,
    createdAt: allocation.openedAt.toISOString(),
    lastUpdatedAt: allocation.lastUpdatedAt.toISOString(),
  }
}

const presentPortfolio = (portfolio: PortfolioSummary) => ({
  totalDeployed: formatDecimal(portfolio.deployed, SUM_DECIMALS),
  totalValue: formatDecimal(portfolio.value, SUM_DECIMALS),
  totalYieldEarned: formatDecimal(portfolio.yieldEarned, SUM_DECIMALS),
  averageAPY: percent(portfolio.averageApy),
  activeAllocations: portfolio.active,
})

type AwaitedOf = Awaited<ReturnType<typeof readAwaited>>

const presentList = (page: Awaited<ReturnType<typeof pageOfAllocations>>, awaitedOf: AwaitedOf) => ({
  allocations: page.allocations.map((allocation) => ({
    ...presentAllocation(allocation, awaitedOf(allocation)),
    walletId: allocation.walletId,
    walletAddress: allocation.walletAddress,
    walletLabel: labelOfSubject(allocation),
    blockchain: allocation.blockchain as (typeof BLOCKCHAINS)[number],
  })),
  portfolioSummary: presentPortfolio(page.portfolio),
  pagination: page.pagination,
})

function presentDetail(
  allocation: AllocationView,
  { daily, weekly, monthly }: AllocationPerformance,
  operations: readonly OperationView[],
  awaited: AwaitedWithdrawal | undefined,
) {
  const amount = (units: bigint) => formatDecimal(units, allocation.tokenDecimals)
  return {
    ...presentAllocation(allocation, awaited),
    wallet: {
      id: allocation.walletId,
      address: allocation.walletAddress,
      label: labelOfSubject(allocation),
      blockchain: allocation.blockchain as (typeof BLOCKCHAINS)[number],
    },
    performance: { dailyYield: amount(daily), weeklyYield: amount(weekly), monthlyYield: amount(monthly) },
    operations: operations.map(presentFinished),
  }
}

const tags = ['Core allocations']

export const allocationQuery = Type.Object({
  status: Type.Optional(enumQuery(STATUSES, 'Only allocations in this status, case-insensitive. Defaults to ACTIVE.')),
  includeUnwinding: Type.Optional(
    Type.Boolean({
      description: 'With true and without `status`: ACTIVE and UNWINDING, which is all that hold something.',
    }),
  ),
  opWalletId: Type.Optional(id('Only allocations of this operational wallet.')),
  managedWalletId: Type.Optional(id('Alias of opWalletId; if both are sent, they must match.')),
  token: Type.Optional(Type.String({ description: 'Only allocations of this token: a symbol, case-insensitive.' })),
  ...pageQuery,
  ...beforeQuery,
})

/** The page of allocations for a query. Errors: VALIDATION_ERROR, WALLET_NOT_FOUND, TOKEN_NOT_FOUND. */
export async function pageOfAllocations(
  parts: Parts,
  organizationId: number,
  query: Type.Static<typeof allocationQuery>,
): Promise<AllocationPage & { readonly pagination: ReturnType<typeof paginationOf> }> {
  const statuses = statusesOf(query)
  const opWalletId = requestedOpWalletId(query)
  const token = requireToken(parts, query.token)
  const of =
    opWalletId === undefined ? undefined : await requireOperationalWallet(parts.db, { organizationId, opWalletId })
  const { page, items, hasMore } = await readPage(
    query,
    (window) => listAllocations(parts.db, organizationId, { statuses, token, of }, window),
    ({ allocations }) => allocations,
  )
  return { ...page, allocations: items, pagination: { ...paginationOf(query, page.total, items.length), hasMore } }
}

function statusesOf({ status, includeUnwinding }: { status?: string; includeUnwinding?: boolean }) {
  if (status !== undefined) return [enumValueOf('status', status, STATUSES)]
  return includeUnwinding ? (['ACTIVE', 'UNWINDING'] as const) : (['ACTIVE'] as const)
}

/** Allocations on core (spec 4.4, contract 7). */
export function coreAllocationRoutes(app: App, parts: Parts): void {
  app.get(
    '/api/v1/allocations',
    {
      config: { access: { surface: 'core', roles: EVERYONE, serviceAccounts: true }, limit: 'allocations.list' },
      schema: {
        tags,
        operationId: 'listCoreAllocations',
        summary: 'List allocations with the portfolio',
        description:
          'Errors: WALLET_NOT_FOUND for an unknown operational wallet; TOKEN_NOT_FOUND for a token that none of the configured chains has.',
        querystring: allocationQuery,
        response: { 200: envelope(CoreAllocationList, 'A page of allocations.') },
      },
    },
    async ({ query, credential: { organizationId } }) => {
      const page = await pageOfAllocations(parts, organizationId, query)
      return ok(presentList(page, await readAwaited(parts.db, organizationId, page.allocations)))
    },
  )
}

/** One allocation (spec 4.4); with `preview` for organization keys too (contract 3). */
export function allocationDetailRoute(app: App, parts: Parts, preview: boolean): void {
  app.get(
    '/api/v1/allocations/:id',
    {
      config: {
        access: { surface: 'core', roles: EVERYONE, serviceAccounts: true, ...(preview ? { key: 'read' } : {}) },
        limit: 'core',
      },
      schema: {
        tags,
        operationId: 'getCoreAllocation',
        summary: 'Get an allocation in detail',
        description: 'Error: ALLOCATION_NOT_FOUND.',
        params: idParams('Allocation id.'),
        response: { 200: envelope(CoreAllocationDetail, 'The allocation.') },
      },
    },
    async ({ params, credential: { organizationId } }) => {
      const { allocation, performance } = await getAllocation(parts.db, organizationId, params.id)
      const operations = await listPositionOperationViews(parts, organizationId, allocation)
      const awaitedOf = await readAwaited(parts.db, organizationId, [allocation])
      return ok(presentDetail(allocation, performance, operations, awaitedOf(allocation)))
    },
  )
}
