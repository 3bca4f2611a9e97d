import Type from 'typebox'
import {
  getTokenPosition,
  type TokenPosition,
  walletStatistics,
  type YieldStatistics,
  yieldStatistics,
} from '../../../allocations/index.ts'
import { Failure, formatDecimal, SUM_DECIMALS } from '../../../kernel/index.ts'
import { lastActivity, type Parts } from '../../../operations/index.ts'
import { type App, blockchainText, envelope, id, ok } from '../../http/index.ts'
import { byEveryoneAndKeys } from '../access.ts'
import { decimal, orNull, requestedOpWalletId, twoDigits } from '../formats.ts'
import { dateTime } from '../schemas.ts'
import { presentWalletStats, WalletStats } from '../treasury/wallet-stats.ts'
import { rate } from './schemas.ts'

const token = Type.String({ description: 'Token symbol; amounts cover all blockchains.' })

const EnhancedStats = Type.Object(
  {
    // Of the whole organization only: what the plain response has, so that its readers need no change.
    ...Type.Partial(WalletStats).properties,
    opWallet: orNull(
      Type.Object({
        id: id('Operational wallet id.'),
        address: Type.String({ description: 'Address of the wallet.' }),
        blockchain: blockchainText('Blockchain, lower case.'),
        token,
      }),
      'The requested operational wallet; null for the whole organization.',
    ),
    organization: Type.Object({ id: id('Organization id.') }, { description: 'The organization.' }),
    balances: Type.Object(
      {
        totalUsd: decimal('Sum of available, reserved and allocated.'),
        availableUsd: decimal('Available for use.'),
        allocatedUsd: decimal('Current value of open positions.'),
        byToken: Type.Array(
          Type.Object({
            token,
            totalUsd: decimal('Sum of available, reserved and allocated.'),
            availableUsd: decimal('Available for use.'),
            allocatedUsd: decimal('Current value of open positions.'),
          }),
          { description: 'The same, by token.' },
        ),
      },
      { description: 'Current balances.' },
    ),
    performance: Type.Object(
      {
        totalPrincipalUsd: decimal('totalUsd minus totalYieldUsd.'),
        totalYieldUsd: decimal('Lifetime yield, realized and unrealized.'),
        lifetimeROI: rate('Lifetime yield relative to the principal.'),
        weightedAvgAPY: rate('Average rate of open positions, weighted by value.'),
        byToken: Type.Array(
          Type.Object({
            token,
            principalUsd: decimal('Total minus yield.'),
            yieldUsd: decimal('Lifetime yield, realized and unrealized.'),
            weightedAvgAPY: rate('Average rate of open positions, weighted by value.'),
          }),
          { description: 'The same, by token.' },
        ),
      },
      { description: 'Yield and rates.' },
    ),
    allocations: Type.Object(
      {
        activeCount: Type.Integer({ description: 'Open positions.' }),
        totalUsd: decimal('Current value.'),
        byProvider: Type.Array(
          Type.Object({
            name: Type.String({ description: 'Name of the venue.' }),
            protocol: Type.String({ description: 'Protocol identifier.' }),
            count: Type.Integer({ description: 'Open positions there.' }),
            totalUsd: decimal('Current value.'),
          }),
          { description: 'Largest first.' },
        ),
      },
      { description: 'Open positions.' },
    ),
    timestamps: Type.Object(
      {
        inceptionDate: orNull(dateTime('Time.'), 'When the first wallet became operational; null if there is none.'),
        lastActivity: orNull(dateTime('Time.'), 'When the newest operation last changed; null if there is none.'),
      },
      { description: 'Timestamps.' },
    ),
  },
  { $id: 'EnhancedWalletStats', description: 'Balances and yield; every stablecoin counts as 1 USD.' },
)

const usd = (amount: bigint) => formatDecimal(amount, SUM_DECIMALS)

function present(
  organizationId: number,
  position: TokenPosition | undefined,
  { all, byToken, byVenue, openPositions, inceptionDate }: YieldStatistics,
  activity: Date | null,
) {
  const principal = all.total - all.yield
  return {
    opWallet: position
      ? {
          id: position.operationalWallet.opWalletId,
          address: position.address,
          blockchain: position.blockchain,
          token: position.token.symbol,
        }
      : null,
    organization: { id: organizationId },
    balances: {
      totalUsd: usd(all.total),
      availableUsd: usd(all.available),
      allocatedUsd: usd(all.allocated),
      byToken: byToken.map((sums) => ({
        token: sums.token,
        totalUsd: usd(sums.total),
        availableUsd: usd(sums.available),
        allocatedUsd: usd(sums.allocated),
      })),
    },
    performance: {
      totalPrincipalUsd: usd(principal),
      totalYieldUsd: usd(all.yield),
      lifetimeROI: twoDigits(principal > 0n ? Number(all.yield) / Number(principal) : 0),
      weightedAvgAPY: twoDigits(all.apy),
      byToken: byToken.map((sums) => ({
        token: sums.token,
        principalUsd: usd(sums.total - sums.yield),
        yieldUsd: usd(sums.yield),
        weightedAvgAPY: twoDigits(sums.apy),
      })),
    },
    allocations: {
      activeCount: openPositions,
      totalUsd: usd(all.allocated),
      byProvider: byVenue.map(({ value, ...venue }) => ({ ...venue, totalUsd: usd(value) })),
    },
    timestamps: {
      inceptionDate: inceptionDate?.toISOString() ?? null,
      lastActivity: activity?.toISOString() ?? null,
    },
  }
}

async function statsOf(parts: Parts, organizationId: number, opWalletId: number | undefined) {
  const selected = opWalletId === undefined ? undefined : { organizationId, opWalletId }
  const position = selected && (await getTokenPosition(parts, selected))
  if (selected && !position)
    throw new Failure('WALLET_NOT_FOUND', { message: 'The operational wallet does not exist.' })
  const statistics = await yieldStatistics(parts, organizationId, position?.operationalWallet)
  const activity = await lastActivity(parts.db, organizationId, position?.operationalWallet.walletId)
  const plain = position ? {} : presentWalletStats(await walletStatistics(parts, organizationId))
  return { ...plain, ...present(organizationId, position, statistics, activity) }
}

/** Enhanced wallet statistics, at the current path and at the announced one (spec 4.9). */
export function enhancedStatsRoutes(app: App, parts: Parts): void {
  for (const [url, operationId] of [
    ['/api/core/wallets/stats', 'getWalletStats'],
    ['/api/wallets/stats', 'getEnhancedWalletStats'],
  ] as const) {
    app.get(
      url,
      {
        config: byEveryoneAndKeys,
        schema: {
          tags: ['Preview'],
          operationId,
          summary: 'Get statistics of all wallets or of one operational wallet',
          description: 'Preview. Error: WALLET_NOT_FOUND.',
          querystring: Type.Object({
            opWalletId: Type.Optional(id('Only this operational wallet.')),
            managedWalletId: Type.Optional(id('Alias of opWalletId; if both are sent, they must match.')),
          }),
          response: { 200: envelope(EnhancedStats, 'The statistics.') },
        },
      },
      async ({ query, credential: { organizationId } }) =>
        ok(await statsOf(parts, organizationId, requestedOpWalletId(query))),
    )
  }
}
