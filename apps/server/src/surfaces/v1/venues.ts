import Type from 'typebox'
import type { Chains } from '../../chains/index.ts'
import type { Database } from '../../database/index.ts'
import { Failure } from '../../kernel/index.ts'
import { type CatalogueVenue, listVenues, type Strategy, venueById } from '../../venues/index.ts'
import { type App, id, idParams } from '../http/index.ts'
import { baseUnits, blockchain, blockchainFilter, blockchainQuery, orNull } from './schemas.ts'
import { tokenFilter } from './token-filter.ts'

const StrategyRecord = Type.Object(
  {
    strategyId: id('Strategy; use it to supply and unwind.'),
    name: Type.String({ description: 'Display name.' }),
    token: Type.String({ description: 'Symbol of the token that it takes.' }),
    tokenAddress: Type.String({ description: 'Token contract address.' }),
    apy: Type.Number({
      description:
        'What a deposit earns over a year at the present rate, compounding included; a decimal fraction: 0.085 is 8.5 %. Negative after a loss.',
    }),
    tvl: orNull(baseUnits('All that is deposited there, by everybody; null until it was read.')),
    minDeposit: orNull(baseUnits('Least that one supply takes; null: no minimum.')),
    maxDeposit: orNull(baseUnits('Most that one supply takes; null: no maximum.')),
    status: Type.Enum(['active', 'paused'], {
      description: '`paused` takes no deposits; positions in it can be left.',
    }),
    supportsGasSponsorship: Type.Boolean({ description: 'Whether it works with gas-sponsored wallets.' }),
  },
  { $id: 'Strategy', description: 'A way to earn yield on one token at a venue.' },
)

const VenueRecord = Type.Object(
  {
    id: id('Venue id.'),
    name: Type.String({ description: 'Display name.' }),
    protocol: Type.String({ description: 'Protocol identifier.', examples: ['aave-v3', 'erc4626'] }),
    blockchain,
    iconUrl: orNull(Type.String({ description: 'Address of an icon; null when there is none.' })),
    status: Type.Enum(['active', 'paused', 'deprecated'], {
      description: '`deprecated`: not offered any more; positions in it can be left.',
    }),
    strategies: Type.Array(StrategyRecord, { description: 'Its strategies; in a filtered list those that pass.' }),
  },
  { $id: 'Venue', description: 'A protocol on one blockchain, with its strategies.' },
)

const VenueList = Type.Object(
  {
    venues: Type.Array(VenueRecord, { description: 'Venues that have a strategy to show.' }),
    count: Type.Integer({ description: 'How many venues are shown.' }),
    strategyCount: Type.Integer({ description: 'How many strategies are shown, across all venues.' }),
  },
  { $id: 'VenueList', description: 'Venues with their strategies.' },
)

const tags = ['Venues']
const reads = { access: { surface: 'v1', needs: 'read' }, limit: 'v1.read' } as const

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
          'Filters apply to strategies; venues left with none are omitted. Errors: VALIDATION_ERROR for a blockchain that is not served, TOKEN_NOT_FOUND.',
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
    // The catalogue is seeded from the chains that are served.
    blockchain: venue.blockchain as (typeof blockchain.enum)[number],
    iconUrl: venue.iconUrl,
    status: venue.status,
    strategies: venue.strategies.map(presentStrategy),
  }
}

function presentStrategy(strategy: Strategy) {
  return {
    strategyId: strategy.id,
    name: strategy.name,
    token: strategy.token,
    tokenAddress: strategy.tokenAddress,
    apy: strategy.apy,
    tvl: strategy.tvl?.toString() ?? null,
    minDeposit: strategy.minDeposit?.toString() ?? null,
    maxDeposit: strategy.maxDeposit?.toString() ?? null,
    // The specification has two words here; a deprecated strategy takes no deposits either.
    status: strategy.status === 'active' ? ('active' as const) : ('paused' as const),
    supportsGasSponsorship: strategy.supportsGasSponsorship,
  }
}
