import Type from 'typebox'
import { type Exposure, readExposures } from '../../../allocations/index.ts'
import { BLOCKCHAINS } from '../../../chains/index.ts'
import type { Database } from '../../../database/index.ts'
import { Failure, formatDecimal, HISTORY_DAYS } from '../../../kernel/index.ts'
import {
  acceptedDeposits,
  contractsOf,
  type FactSheet,
  factSheetOf,
  listVenues,
  type MeasuredYield,
  measuredYields,
  type PoolDay,
  poolHistory,
  readTokenPegs,
  type Strategy,
  strategyById,
  type TokenPeg,
  utilizationOf,
} from '../../../venues/index.ts'
import { type App, envelope, id, idParams, ok } from '../../http/index.ts'
import { byEveryoneAndKeys } from '../access.ts'
import { decimal, orNull, percent, percentText } from '../formats.ts'
import { dateTime } from '../schemas.ts'
import { Facts, presentFactSheet } from './fact-sheet.ts'
import { presentYields, Yields } from './measured-yields.ts'

const text = (description: string) => Type.String({ description })

const fields = {
  strategyId: id('Strategy.'),
  name: text('Display name.'),
  venue: text('Name of the venue.'),
  blockchain: Type.Enum([...BLOCKCHAINS], { description: 'Blockchain, lower case.' }),
  token: text('Token symbol.'),
  contracts: Type.Record(Type.String(), Type.String(), { description: 'Addresses of the contracts, by role.' }),
  listingSource: Type.Optional(
    text("Source that the operator's venue file names. Absent: Weir itself lists the strategy."),
  ),
  facts: orNull(Facts, 'Checked-in facts with their sources; null if nobody checked this strategy.'),
  apy: percentText('Current rate.'),
  yields: Yields,
  tvl: orNull(decimal('Amount.'), 'Deposits of all users; null until first read.'),
  liquidity: orNull(
    decimal('Amount.'),
    'Part of `tvl` that all depositors together could withdraw now. Null until first read, and for vaults that do not report it.',
  ),
  shortfall: orNull(
    decimal('Amount.'),
    'What the vault counts among its assets although its markets lost it, less what was paid to cover that, as last read; not part of `tvl`. Null until first read, and for vaults that do not report losses.',
  ),
  utilization: orNull(percentText('Share.'), 'Part of `tvl` that is lent out; null if unknown.'),
  deposits: orNull(
    Type.Object(
      {
        state: Type.Enum(['open', 'full', 'frozen', 'paused'], { description: 'As on `GET /v1/venues`.' }),
        room: orNull(decimal('Amount.'), 'The most that they accept now; null: no limit, or none that they report.'),
      },
      { description: 'What it accepts.' },
    ),
    'Which deposits it accepts, as its contracts did when last read; null until then; none while its status is not active.',
  ),
  withdrawals: orNull(
    Type.Object(
      { state: Type.Enum(['open', 'paused'], { description: '`paused`: it pays nothing.' }) },
      { description: 'What its contracts pay.' },
    ),
    'Which withdrawals its contracts pay, as last read; null until then, and where they report it only to the owner of a position.',
  ),
  peg: Type.Optional(
    Type.Object(
      {
        price: decimal('US dollars for one token.'),
        distance: percentText('How far that is from one dollar, above or below.'),
        at: dateTime('When the feed set it, from the clock of the chain.'),
      },
      { description: "The token's price as its feed on the chain reported it last. Absent if no feed was read." },
    ),
  ),
  timelock: Type.Optional(
    Type.Object(
      {
        seconds: Type.Integer({ minimum: 0, description: 'The shortest delay.' }),
        contract: text('The vault that reports it.'),
      },
      {
        description:
          'Delay before the curator can raise a cap or add a market, as `timelock` of a Morpho vault reported it last: one for a MetaMorpho, one for each function of a Vault V2. Absent for other vaults.',
      },
    ),
  ),
  own: Type.Object(
    {
      value: decimal("Current value of the organization's positions."),
      shareOfPool: orNull(percentText('Share.'), '`value` as a share of `tvl`; null if `tvl` is unknown or zero.'),
      withdrawable: decimal(
        'What the organization could certainly withdraw of this strategy now, as last read, while it withdraws nothing from another that draws on the same pool.',
      ),
      unread: decimal('Value of positions whose withdrawable amount is not known.'),
    },
    { description: 'The exposure of the organization to the strategy.' },
  ),
}

const StrategyRisk = Type.Object(fields, { $id: 'StrategyRisk', description: 'Facts about the risk of a strategy.' })

const StrategyRiskDetail = Type.Object(
  {
    ...fields,
    history: Type.Array(
      Type.Object(
        {
          day: text('UTC day of the chain: YYYY-MM-DD.'),
          tvl: orNull(decimal('Amount.'), 'Null if it was not recorded.'),
          liquidity: orNull(decimal('Amount.'), 'Null if it was not recorded or not known.'),
          sharePriceIndex: Type.Optional(
            Type.String({
              pattern: '^[0-9]+\\.[0-9]{8}$',
              description: 'Share price as a multiple of that of the first entry; absent if that was zero.',
              examples: ['1.00410000'],
            }),
          ),
          apy: Type.Optional(
            percentText(
              'APY of the share price from this reading to that of the next entry; absent in the last entry.',
            ),
          ),
        },
        { description: 'The first reading of a day.' },
      ),
      { description: 'One entry per day with a reading, oldest first.' },
    ),
  },
  { $id: 'StrategyRiskDetail', description: 'Facts about the risk of a strategy, with the past of its pool.' },
)

interface RiskReadings {
  readonly facts: FactSheet | null
  readonly yields: readonly MeasuredYield[]
  readonly exposure: Exposure | undefined
  readonly peg: TokenPeg | undefined
}

function present(strategy: Strategy, { facts, yields, exposure, peg }: RiskReadings) {
  const amount = (units: bigint) => formatDecimal(units, strategy.tokenDecimals)
  const amountOrNull = (units: bigint | null) => (units === null ? null : amount(units))
  const utilization = utilizationOf(strategy)
  const { value = 0n, withdrawable = 0n, unread = 0n } = exposure ?? {}
  const { tvl } = strategy
  const deposits = acceptedDeposits(strategy)
  return {
    strategyId: strategy.id,
    name: strategy.name,
    venue: strategy.venueName,
    blockchain: strategy.blockchain as (typeof BLOCKCHAINS)[number],
    token: strategy.token,
    contracts: contractsOf(strategy),
    ...(strategy.listingSource !== null && { listingSource: strategy.listingSource }),
    facts: facts && presentFactSheet(facts, strategy),
    apy: percent(strategy.apy),
    yields: presentYields(yields),
    tvl: amountOrNull(tvl),
    liquidity: amountOrNull(strategy.liquidity),
    shortfall: amountOrNull(strategy.shortfall),
    utilization: utilization === null ? null : percent(utilization),
    deposits: deposits && { state: deposits.state, room: amountOrNull(deposits.room) },
    withdrawals: strategy.withdrawals && { state: strategy.withdrawals },
    ...(peg && {
      peg: {
        price: formatDecimal(peg.price, FEED_DECIMALS),
        distance: percent(peg.distance),
        at: peg.at.toISOString(),
      },
    }),
    ...(strategy.timelockSeconds !== null && {
      timelock: { seconds: strategy.timelockSeconds, contract: strategy.params.vault! },
    }),
    own: {
      value: amount(value),
      shareOfPool: tvl === null || tvl === 0n ? null : percent(Number(value) / Number(tvl)),
      withdrawable: amount(withdrawable),
      unread: amount(unread),
    },
  }
}

/** Prices are in 1e-8 US dollars. */
const FEED_DECIMALS = 8

const presentDay = ({ day, tvl, liquidity, priceIndex, apy }: PoolDay, decimals: number) => ({
  day,
  tvl: tvl === null ? null : formatDecimal(tvl, decimals),
  liquidity: liquidity === null ? null : formatDecimal(liquidity, decimals),
  ...(priceIndex === null ? {} : { sharePriceIndex: priceIndex.toFixed(8) }),
  ...(apy === null ? {} : { apy: percent(apy) }),
})

export interface StrategyRiskParts {
  readonly db: Database
  /** Whether the service runs the embedded chains, whose contracts are not the public ones. */
  readonly embedded: boolean
}

/** Facts about the risk of strategies: `/api/core/strategy-risks`. */
export function strategyRiskRoutes(app: App, { db, embedded }: StrategyRiskParts): void {
  const tags = ['Risk']

  async function presentAll(strategies: readonly Strategy[], organizationId: number) {
    const [yields, exposures, pegOf] = await Promise.all([
      measuredYields(
        db,
        strategies.map(({ id: strategyId }) => strategyId),
      ),
      db
        .transaction()
        .setIsolationLevel('repeatable read')
        .execute((tx) => readExposures(tx, organizationId)),
      readTokenPegs(db),
    ])
    return strategies.map((strategy) =>
      present(strategy, {
        // Nobody has checked strategies that the operator lists.
        facts: strategy.listingSource === null ? factSheetOf(strategy, embedded) : null,
        yields: yields.get(strategy.id) ?? [],
        exposure: exposures.find(({ strategyId }) => strategyId === strategy.id),
        peg: pegOf(strategy),
      }),
    )
  }

  app.get(
    '/api/core/strategy-risks',
    {
      config: byEveryoneAndKeys,
      schema: {
        tags,
        operationId: 'listStrategyRisks',
        summary: 'List facts about the risk of strategies',
        description:
          'All strategies of the catalogue, including those that take no deposits. Facts with their sources and measurements, no scores.',
        response: { 200: envelope(Type.Array(StrategyRisk, { description: 'By strategy id.' }), 'The facts.') },
      },
    },
    async ({ credential: { organizationId } }) => {
      const venues = await listVenues(db)
      const strategies = venues.flatMap((venue) => venue.strategies).toSorted((a, b) => a.id - b.id)
      return ok(await presentAll(strategies, organizationId))
    },
  )

  app.get(
    '/api/core/strategy-risks/:id',
    {
      config: byEveryoneAndKeys,
      schema: {
        tags,
        operationId: 'getStrategyRisk',
        summary: 'Get facts about the risk of a strategy',
        description: 'With the past of its pool by day. Error: STRATEGY_NOT_FOUND.',
        params: idParams('Strategy id.'),
        querystring: Type.Object({
          days: Type.Optional(Type.Integer({ ...HISTORY_DAYS, description: 'Length of the history in days.' })),
        }),
        response: { 200: envelope(StrategyRiskDetail, 'The facts.') },
      },
    },
    async ({ credential: { organizationId }, params, query: { days = HISTORY_DAYS.default } }) => {
      const strategy = await strategyById(db, params.id)
      if (!strategy) throw new Failure('STRATEGY_NOT_FOUND')
      const [[risk], history] = await Promise.all([
        presentAll([strategy], organizationId),
        poolHistory(db, strategy, days),
      ])
      return ok({ ...risk!, history: history.map((day) => presentDay(day, strategy.tokenDecimals)) })
    },
  )
}
