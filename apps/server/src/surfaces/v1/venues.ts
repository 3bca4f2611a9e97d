import Type from 'typebox'
import type { Chains } from '../../chains/index.ts'
import type { Database } from '../../database/index.ts'
import { Failure } from '../../kernel/index.ts'
import {
  acceptedDeposits,
  type CatalogueVenue,
  contractsOf,
  listVenues,
  type Strategy,
  spenderOf,
  venueById,
} from '../../venues/index.ts'
import { type App, id, idParams, strategyContracts } from '../http/index.ts'
import { baseUnits, blockchain, blockchainFilter, blockchainQuery, orNull } from './schemas.ts'
import { tokenFilter } from './token-filter.ts'

const StrategyRecord = Type.Object(
  {
    strategyId: id('Strategy id; use it to supply and unwind.'),
    name: Type.String({ description: 'Display name.' }),
    token: Type.String({ description: 'Token symbol.' }),
    tokenAddress: Type.String({ description: 'Token contract address.' }),
    ...strategyContracts,
    apy: Type.Number({
      description:
        'Annual yield at the current rate, including compounding, as a decimal fraction: 0.085 is 8.5%. Negative after a loss.',
    }),
    tvl: orNull(baseUnits('Total value locked, of all depositors; null until first read.')),
    minDeposit: orNull(baseUnits('Minimum amount per supply; null if there is none.')),
    maxDeposit: orNull(baseUnits('Maximum amount per supply; null if there is none.')),
    deposits: Type.Optional(
      orNull(
        Type.Object(
          {
            state: Type.Enum(['open', 'full', 'frozen', 'paused'], {
              description:
                '`full`: accepts none, usually because it is at its own cap. `frozen`, `paused`: by its protocol; `paused` also while `status` is. Only `open` accepts deposits.',
            }),
            room: orNull(
              baseUnits('Maximum amount that they accept now; null if there is no limit, or none reported.'),
            ),
          },
          {
            description:
              'Which deposits it accepts, as its contracts did when last read; null until then; none while `status` is `paused`.',
          },
        ),
      ),
    ),
    withdrawals: Type.Optional(
      orNull(
        Type.Object(
          {
            state: Type.Enum(['open', 'paused'], {
              description: '`paused`: by its protocol; it pays nothing. `open` may pay only a part.',
            }),
          },
          {
            description:
              'Which withdrawals its contracts pay, as last read; null until then, and where they report it only to the owner of a position (`withdrawable` of the allocation).',
          },
        ),
      ),
    ),
    status: Type.Enum(['active', 'paused'], {
      description: '`paused`: accepts no deposits; withdrawals are possible.',
    }),
    supportsGasSponsorship: Type.Boolean({ description: 'Whether the strategy works with gas-sponsored wallets.' }),
  },
  { $id: 'Strategy', description: 'A way to earn yield on one token at a venue.' },
)

const VenueRecord = Type.Object(
  {
    id: id('Venue id.'),
    name: Type.String({ description: 'Display name.' }),
    protocol: Type.String({ description: 'Protocol identifier.', examples: ['aave-v3', 'erc4626'] }),
    blockchain,
    iconUrl: orNull(Type.String({ description: 'URL of the icon; null if there is none.' })),
    status: Type.Enum(['active', 'paused', 'deprecated'], {
      description: '`deprecated`: no longer offered; withdrawals are possible.',
    }),
    strategies: Type.Array(StrategyRecord, {
      description: 'Strategies of the venue; in a filtered list only those that match.',
    }),
  },
  { $id: 'Venue', description: 'A protocol on one blockchain, with its strategies.' },
)

const VenueList = Type.Object(
  {
    venues: Type.Array(VenueRecord, { description: 'Venues with at least one matching strategy.' }),
    count: Type.Integer({ description: 'Number of venues in this response.' }),
    strategyCount: Type.Integer({ description: 'Number of strategies in this response, across all venues.' }),
  },
  { $id: 'VenueList', description: 'Venues with their strategies.' },
)

const tags = ['Venues']
const reads = { access: { surface: 'v1', needs: 'read', permission: 'read' }, limit: 'v1.read' } as const

/** The catalogue on v1 (spec 4.6, contract 6). */
export function venueRoutes(app: App, parts: { readonly db: Database; readonly chains: Chains }): void {
  app.get(
    '/v1/venues',
    {
      config: reads,
      schema: {
        tags,
        operationId: 'listVenues',
        summary: 'List venues and their strategies',
        description:
          'Filters apply to strategies; venues without a match are omitted. Errors: VALIDATION_ERROR for an unsupported blockchain, TOKEN_NOT_FOUND.',
        querystring: Type.Object({
          blockchain: blockchainQuery,
          token: Type.Optional(Type.String({ description: 'Token symbol, case-insensitive.', examples: ['USDC'] })),
          supportsGasSponsorship: Type.Optional(
            Type.Boolean({ description: '`true`: only strategies that work with gas-sponsored wallets.' }),
          ),
        }),
        response: { 200: VenueList },
      },
    },
    async ({ query }) => {
      const venues = await listVenues(parts.db, {
        blockchain: blockchainFilter(query.blockchain),
        token: tokenFilter(parts.chains, query.token),
        supportsGasSponsorship: query.supportsGasSponsorship,
      })
      const strategyCount = venues.reduce((count, { strategies }) => count + strategies.length, 0)
      return { venues: venues.map(present), count: venues.length, strategyCount }
    },
  )

  app.get(
    '/v1/venues/:id',
    {
      config: reads,
      schema: {
        tags,
        operationId: 'getVenue',
        summary: 'Get a venue with all its strategies',
        description: 'Error: VENUE_NOT_FOUND.',
        params: idParams('Venue id.'),
        response: { 200: VenueRecord },
      },
    },
    async ({ params }) => {
      const venue = await venueById(parts.db, params.id)
      if (!venue) throw new Failure('VENUE_NOT_FOUND')
      return present(venue)
    },
  )
}

function present(venue: CatalogueVenue) {
  return {
    id: venue.id,
    name: venue.name,
    protocol: venue.protocol,
    // The catalogue is seeded from the configured chains.
    blockchain: venue.blockchain as (typeof blockchain.enum)[number],
    iconUrl: venue.iconUrl,
    status: venue.status,
    strategies: venue.strategies.map(presentStrategy),
  }
}

function presentStrategy(strategy: Strategy) {
  const deposits = acceptedDeposits(strategy)
  return {
    strategyId: strategy.id,
    name: strategy.name,
    token: strategy.token,
    tokenAddress: strategy.tokenAddress,
    tokenDecimals: strategy.tokenDecimals,
    contracts: contractsOf(strategy),
    spender: spenderOf(strategy.params),
    apy: strategy.apy,
    tvl: strategy.tvl?.toString() ?? null,
    minDeposit: strategy.minDeposit?.toString() ?? null,
    maxDeposit: strategy.maxDeposit?.toString() ?? null,
    deposits: deposits && { state: deposits.state, room: deposits.room?.toString() ?? null },
    withdrawals: strategy.withdrawals && { state: strategy.withdrawals },
    // The specification has two statuses; a deprecated strategy accepts no deposits either.
    status: strategy.status === 'active' ? ('active' as const) : ('paused' as const),
    supportsGasSponsorship: strategy.supportsGasSponsorship,
  }
}
