import Type from 'typebox'
import { type Earnings, getEarnings } from '../../../allocations/index.ts'
import { BLOCKCHAINS } from '../../../chains/index.ts'
import { scopeOf } from '../../../identity/index.ts'
import { EARNINGS_DAYS, Failure, formatDecimal, formatUsd, validationError } from '../../../kernel/index.ts'
import type { Parts } from '../../../operations/index.ts'
import { type App, enumQuery } from '../../http/index.ts'
import { baseUnits, blockchain, blockchainFilter, orNull } from '../schemas.ts'
import { tokenFilter } from '../token-filter.ts'
import { selectedWallets, walletSelectorFields } from './wallet-selector.ts'

const day = (description: string) => Type.String({ format: 'date', description: `${description} YYYY-MM-DD, UTC.` })
const usd = (of: string) =>
  Type.String({ pattern: '^-?[0-9]+\\.[0-9]{2}$', description: `${of} in USD, truncated to cents.` })

const exactUsd = (of: string) =>
  Type.String({
    pattern: '^-?[0-9]+\\.[0-9]{2,}$',
    description: `${of} in USD with every digit: days add up to the total.`,
  })

const earned = {
  date: day('Day.'),
  yieldEarned: baseUnits('Yield since the previous day with data; negative for a loss.'),
  yieldEarnedUsd: usd('yieldEarned'),
  yieldEarnedUsdExact: exactUsd('yieldEarned'),
}
const totals = {
  totalYieldEarned: baseUnits('Yield in the period: the sum of the history.'),
  totalYieldEarnedUsd: usd('totalYieldEarned'),
  totalYieldEarnedUsdExact: exactUsd('totalYieldEarned'),
}

const EarningsRecord = Type.Object(
  {
    walletAddress: orNull(
      Type.String({ description: 'Address of the wallet; null if the selection has several wallets or none.' }),
    ),
    blockchain,
    token: Type.String({ description: 'Symbol.' }),
    periodStart: day('First day of the period, from the clock of the chain.'),
    periodEnd: day('Current day, from the clock of the chain.'),
    firstActivityDate: orNull(
      day('When the first position was opened, even if before the period; null if there is none.'),
    ),
    ...totals,
    history: Type.Array(
      Type.Object({
        ...earned,
        cumulativeYield: baseUnits('Yield since the start of the period.'),
        positionValue: baseUnits('Value of all positions at the end of the day.'),
      }),
      { description: 'Days with data, oldest first. The last one covers the current day so far.' },
    ),
    byVenue: Type.Optional(
      Type.Array(
        Type.Object({
          venueId: Type.Integer({ description: 'Venue id.' }),
          venueName: Type.String({ description: 'Name of the venue.' }),
          ...totals,
          history: Type.Array(Type.Object(earned), { description: 'Days with data, oldest first.' }),
        }),
        {
          description:
            'Earnings by venue; present with includeBreakdown=true. The venues add up exactly to the totals.',
        },
      ),
    ),
  },
  { $id: 'Earnings', description: 'Earnings of positions in one token, by day.' },
)

/** Earnings on v1 (contract 6). */
export function earningsRoutes(app: App, parts: Parts): void {
  app.get(
    '/v1/allocations/earnings',
    {
      config: { access: { surface: 'v1', needs: 'read', permission: 'read' }, limit: 'v1.read' },
      schema: {
        tags: ['Allocations'],
        operationId: 'getEarnings',
        summary: 'Get the earnings of a wallet or user by day',
        description:
          'Send exactly one of walletAddress, walletId and userId; `blockchain` and `token` are required. Closed positions are included. Deposits and withdrawals outside Weir change the principal, never the yield. An unknown userId has no earnings. Errors: VALIDATION_ERROR, TOKEN_NOT_FOUND (no configured chain has the symbol), INVALID_ADDRESS, WALLET_NOT_FOUND.',
        querystring: Type.Object({
          ...walletSelectorFields,
          blockchain: enumQuery(BLOCKCHAINS, 'Blockchain, case-insensitive.'),
          token: Type.String({ description: 'Symbol, case-insensitive.', examples: ['USDC'] }),
          days: Type.Integer({ ...EARNINGS_DAYS, description: 'Length of the period in days, including today.' }),
          includeBreakdown: Type.Boolean({ default: false, description: 'Whether to include `byVenue`.' }),
        }),
        response: { 200: EarningsRecord },
      },
    },
    async ({ query, credential }) => {
      const chain = blockchainFilter(query.blockchain)
      if (chain === undefined) throw validationError('blockchain', 'is required')
      const selected = selectedWallets(query, chain)
      const token = tokenFilter(parts.chains, query.token)
      if (token === undefined) throw validationError('token', 'is required')
      const wallets = query.userId === undefined ? selected : { ...selected, blockchain: chain }
      const filter = { wallets, blockchain: chain, token, days: query.days }
      const earnings = await getEarnings(parts, scopeOf(credential), filter)
      if (earnings.addresses.length === 0 && query.userId === undefined) throw new Failure('WALLET_NOT_FOUND')
      const { addresses } = earnings
      return {
        walletAddress: addresses.length === 1 ? addresses[0]! : null,
        blockchain: chain,
        token,
        ...present(earnings, query.includeBreakdown),
      }
    },
  )
}

function present(earnings: Earnings, includeBreakdown: boolean) {
  const inUsd = (amount: bigint) => formatUsd(amount, earnings.tokenDecimals)
  const exactly = (amount: bigint) => formatDecimal(amount, earnings.tokenDecimals)
  const totalsOf = ({ yieldEarned }: { yieldEarned: bigint }) => ({
    totalYieldEarned: yieldEarned.toString(),
    totalYieldEarnedUsd: inUsd(yieldEarned),
    totalYieldEarnedUsdExact: exactly(yieldEarned),
  })
  const dayOf = ({ day: date, yieldEarned }: { day: string; yieldEarned: bigint }) => ({
    date,
    yieldEarned: yieldEarned.toString(),
    yieldEarnedUsd: inUsd(yieldEarned),
    yieldEarnedUsdExact: exactly(yieldEarned),
  })
  const byVenue = earnings.byVenue.map((venue) => ({
    venueId: venue.venueId,
    venueName: venue.venueName,
    ...totalsOf(venue),
    history: venue.history.map(dayOf),
  }))
  return {
    periodStart: earnings.periodStart,
    periodEnd: earnings.periodEnd,
    firstActivityDate: earnings.firstActivity,
    ...totalsOf(earnings),
    history: earnings.history.map((of) => ({
      ...dayOf(of),
      cumulativeYield: of.cumulativeYield.toString(),
      positionValue: of.positionValue.toString(),
    })),
    ...(includeBreakdown ? { byVenue } : {}),
  }
}
