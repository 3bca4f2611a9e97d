import Type from 'typebox'
import { BLOCKCHAINS } from '../../../chains/index.ts'
import type { Database } from '../../../database/index.ts'
import { formatDecimal, validationError } from '../../../kernel/index.ts'
import { strategiesAtEndOf } from '../../../venues/index.ts'
import { type App, envelope, id, ok } from '../../http/index.ts'
import { byEveryoneAndKeys } from '../access.ts'
import { decimal, orNull } from '../formats.ts'
import { dateTime } from '../schemas.ts'
import { presentYields, Yields } from './measured-yields.ts'

const StrategiesAt = Type.Object(
  {
    day: Type.String({ description: 'The requested day.' }),
    strategies: Type.Array(
      Type.Object(
        {
          strategyId: id('Strategy.'),
          name: Type.String({ description: 'Display name.' }),
          venue: Type.String({ description: 'Name of the venue.' }),
          blockchain: Type.Enum([...BLOCKCHAINS], { description: 'Blockchain, lower case.' }),
          token: Type.String({ description: 'Token symbol.' }),
          yields: Yields,
          tvl: orNull(decimal('Amount.'), 'Deposits of all users; null if it was not recorded.'),
          liquidity: orNull(
            decimal('Amount.'),
            'What all depositors together could withdraw; null if it was not recorded or not known.',
          ),
          readAt: dateTime('When it was read, from the clock of the chain.'),
        },
        { $id: 'StrategyAt', description: 'A strategy as it was at the end of a day.' },
      ),
      { description: 'By strategy id. Strategies without a reading at the end of the day are left out.' },
    ),
  },
  { $id: 'StrategiesAt', description: 'The strategies as they were at the end of a day.' },
)

const DAY = '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'

/** Whether the calendar has this day, of a time that has chains. */
function isDay(text: string): boolean {
  const time = new Date(`${text}T00:00:00Z`)
  return time.getTime() > 0 && time.toISOString().startsWith(text)
}

/** `GET /api/core/strategy-history`. */
export function strategyHistoryRoute(app: App, { db }: { readonly db: Database }): void {
  app.get(
    '/api/core/strategy-history',
    {
      config: byEveryoneAndKeys,
      schema: {
        tags: ['Risk'],
        operationId: 'listStrategyHistory',
        summary: 'List the strategies as of the end of a day',
        description:
          'What each strategy had paid and how large its pool was at the end of a day: the first reading after it. `GET /api/core/strategy-risks/:id` has the days of one strategy.',
        querystring: Type.Object({
          day: Type.String({
            pattern: DAY,
            description: 'UTC day of the chain: YYYY-MM-DD.',
            examples: ['2026-01-31'],
          }),
        }),
        response: { 200: envelope(StrategiesAt, 'The strategies.') },
      },
    },
    async ({ query: { day } }) => {
      if (!isDay(day)) throw validationError('day', 'must be a day of the calendar, from 1970')
      const strategies = await strategiesAtEndOf(db, day)
      return ok({
        day,
        strategies: strategies.map(({ tokenDecimals, tvl, liquidity, yields, readAt, blockchain, ...names }) => ({
          ...names,
          blockchain: blockchain as (typeof BLOCKCHAINS)[number],
          yields: presentYields(yields),
          tvl: tvl === null ? null : formatDecimal(tvl, tokenDecimals),
          liquidity: liquidity === null ? null : formatDecimal(liquidity, tokenDecimals),
          readAt: readAt.toISOString(),
        })),
      })
    },
  )
}
