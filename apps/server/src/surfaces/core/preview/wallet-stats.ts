import Type from 'typebox'
import {
  getTokenPosition,
  type TokenPosition,
  type YieldStatistics,
  yieldStatistics,
} from '../../../allocations/index.ts'
import { Failure, formatDecimal, SUM_DECIMALS } from '../../../kernel/index.ts'
import { lastActivity, type Parts } from '../../../operations/index.ts'
import { type App, envelope, id, ok } from '../../http/index.ts'
import { byEveryoneAndKeys } from '../access.ts'
import { decimal, orNull, requestedOpWalletId, twoDigits } from '../formats.ts'
import { dateTime } from '../schemas.ts'
import { rate } from './schemas.ts'

const token = Type.String({ description: 'Token symbol, on all blockchains together.' })

const EnhancedStats = Type.Object(
  {
    opWallet: orNull(
      Type.Object({
        id: id('Operational wallet id.'),
        address: Type.String({ description: 'Address of the wallet.' }),
        blockchain: Type.String({ description: 'Blockchain, lower case.' }),
        token,
      }),
      'The operational wallet that was asked for; null for the whole organization.',
    ),
    organization: Type.Object({ id: id('Organization id.') }, { description: 'The organization.' }),
    balances: Type.Object(
      {
        totalUsd: decimal('Available, reserved and allocated.'),
        availableUsd: decimal('Free to use.'),
        allocatedUsd: decimal('What is at work is worth now.'),
        byToken: Type.Array(
          Type.Object({
            token,
            totalUsd: decimal('Available, reserved and allocated.'),
            availableUsd: decimal('Free to use.'),
            allocatedUsd: decimal('What is at work is worth now.'),
          }),
          { description: 'The same by token.' },
        ),
      },
      { description: 'What there is.' },
    ),
    performance: Type.Object(
      {
        totalPrincipalUsd: decimal('totalUsd less totalYieldUsd.'),
        totalYieldUsd: decimal('Realized and unrealized since the start.'),
        lifetimeROI: rate('Yield since the start, of the principal.'),
        weightedAvgAPY: rate('Of what is at work, weighted by value.'),
        byToken: Type.Array(
          Type.Object({
            token,
            principalUsd: decimal('Total less yield.'),
            yieldUsd: decimal('Realized and unrealized since the start.'),
            weightedAvgAPY: rate('Of what is at work, weighted by value.'),
          }),
          { description: 'The same by token.' },
        ),
      },
      { description: 'What it brought.' },
    ),
    allocations: Type.Object(
      {
        activeCount: Type.Integer({ description: 'Open positions.' }),
        totalUsd: decimal('What they are worth now.'),
        byProvider: Type.Array(
          Type.Object({
            name: Type.String({ description: 'Name of the venue.' }),
            protocol: Type.String({ description: 'Protocol identifier.' }),
            count: Type.Integer({ description: 'Open positions there.' }),
            totalUsd: decimal('What they are worth now.'),
          }),
          { description: 'Largest first.' },
        ),
      },
      { description: 'Where it is at work.' },
    ),
    timestamps: Type.Object(
      {
        inceptionDate: orNull(dateTime('Moment.'), 'Since when something is monitored; null when nothing is.'),
        lastActivity: orNull(dateTime('Moment.'), 'When the newest operation changed last; null without any.'),
      },
      { description: 'When what happened.' },
    ),
  },
  { $id: 'EnhancedWalletStats', description: 'What there is and what it brought; every stablecoin counts as 1 USD.' },
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
  const named = opWalletId === undefined ? undefined : { organizationId, opWalletId }
  const position = named && (await getTokenPosition(parts, named))
  if (named && !position) throw new Failure('WALLET_NOT_FOUND', { message: 'The operational wallet does not exist.' })
  const statistics = await yieldStatistics(parts, organizationId, position?.operationalWallet)
  const activity = await lastActivity(parts.db, organizationId, position?.operationalWallet.walletId)
  return present(organizationId, position, statistics, activity)
}

/** Enhanced wallet statistics, at the address that they have today and at the announced one (spec 4.9). */
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
          summary: 'Statistics of all wallets, or of one operational wallet',
          description: 'Preview. Error: WALLET_NOT_FOUND.',
          querystring: Type.Object({
            opWalletId: Type.Optional(id('Only this operational wallet.')),
            managedWalletId: Type.Optional(id('The same as opWalletId; both must name the same one.')),
          }),
          response: { 200: envelope(EnhancedStats, 'The statistics.') },
        },
      },
      async ({ query, credential: { organizationId } }) =>
        ok(await statsOf(parts, organizationId, requestedOpWalletId(query))),
    )
  }
}
