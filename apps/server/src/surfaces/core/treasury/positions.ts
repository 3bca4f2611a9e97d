import Type from 'typebox'
import { BLOCKCHAINS } from '../../../chains/index.ts'
import type { Database } from '../../../database/index.ts'
import {
  type Clock,
  formatDecimal,
  LIST_LIMIT_DEFAULT,
  SUM_DECIMALS,
  toSumUnits,
  validationError,
} from '../../../kernel/index.ts'
import { listPositionsAt, type PositionAt, type TokenPositionsAt } from '../../../operations/index.ts'
import { type App, envelope, id, ok, pageQuery } from '../../http/index.ts'
import { byEveryoneAndKeys } from '../access.ts'
import { decimal, orNull } from '../formats.ts'
import { Pagination, paginationOf } from '../pagination.ts'
import { dateTime } from '../schemas.ts'

const blockchain = Type.Enum([...BLOCKCHAINS], { description: 'Blockchain, lower case.' })
const token = Type.String({ description: 'Token symbol.' })
const amounts = {
  value: decimal('Posted value, with the yield that was posted until then.'),
  yieldEarned: decimal("Yield posted since the wallet's first deposit into the strategy; may be negative."),
}

const Positions = Type.Object(
  {
    at: dateTime('The requested moment.'),
    summary: Type.Object(
      {
        totalValue: decimal('Sum of value, in USD; every stablecoin counts as 1 USD.'),
        totalYieldEarned: decimal('Sum of yieldEarned, in USD.'),
        byToken: Type.Array(
          Type.Object(
            { blockchain, token, positions: Type.Integer({ description: 'How many positions.' }), ...amounts },
            { $id: 'TokenPositionsAt', description: 'The positions in one token on one blockchain.' },
          ),
          { description: 'By blockchain and token, in units of the token.' },
        ),
      },
      { description: 'Of all positions, not only this page.' },
    ),
    positions: Type.Array(
      Type.Object(
        {
          walletId: id('Wallet id.'),
          address: Type.String({ description: 'Address of the wallet.' }),
          label: orNull(Type.String({ description: 'Label.' }), 'Label of the wallet today; null if it has none.'),
          strategyId: id('Strategy.'),
          strategy: Type.String({ description: 'Name of the strategy.' }),
          venue: Type.String({ description: 'Name of the venue.' }),
          blockchain,
          token,
          ...amounts,
        },
        { $id: 'PositionAt', description: "A wallet's position in a strategy." },
      ),
      { description: 'The page: newest wallet first. Positions that were worth nothing are left out.' },
    ),
    pagination: Pagination,
  },
  { $id: 'PositionsAt', description: 'The positions that the ledger showed at a moment.' },
)

const present = ({ value, yieldEarned, tokenDecimals }: PositionAt | TokenPositionsAt) => ({
  value: formatDecimal(value, tokenDecimals),
  yieldEarned: formatDecimal(yieldEarned, tokenDecimals),
})

/** `GET /api/core/balances/positions`. */
export function positionRoutes(app: App, parts: { readonly db: Database; readonly clock: Clock }): void {
  app.get(
    '/api/core/balances/positions',
    {
      config: byEveryoneAndKeys,
      schema: {
        tags: ['Organization wallets'],
        operationId: 'listPositionBalances',
        summary: 'List the positions as of a moment',
        description:
          'What the ledger showed of each position at a moment: what was posted before it, by the clock of the service. The values add up to the deployed balances of the same moment, and the response for a past moment stays the same. For the end of a day, send the midnight after it. Error: NOT_READY, while something before a moment just past is still being posted.',
        querystring: Type.Object({
          ...pageQuery,
          at: dateTime('What was posted before this moment counts. Not in the future.'),
        }),
        response: { 200: envelope(Positions, 'The positions.') },
      },
    },
    async ({ credential: { organizationId }, query }) => {
      const { limit = LIST_LIMIT_DEFAULT, offset = 0 } = query
      const at = new Date(query.at)
      if (at > parts.clock.now()) throw validationError('at', 'must not be in the future')
      const { items, tokens, total } = await listPositionsAt(parts, organizationId, { at, limit, offset })
      const sum = (name: 'value' | 'yieldEarned') =>
        formatDecimal(
          tokens.reduce((all, row) => all + toSumUnits(row[name], row.tokenDecimals), 0n),
          SUM_DECIMALS,
        )
      const chainOf = ({ blockchain: name }: PositionAt | TokenPositionsAt) => name as (typeof BLOCKCHAINS)[number]
      return ok({
        at: at.toISOString(),
        summary: {
          totalValue: sum('value'),
          totalYieldEarned: sum('yieldEarned'),
          byToken: tokens.map((row) => ({
            blockchain: chainOf(row),
            token: row.token,
            positions: row.positions,
            ...present(row),
          })),
        },
        positions: items.map((row) => ({
          walletId: row.walletId,
          address: row.walletAddress,
          label: row.walletLabel,
          strategyId: row.strategyId,
          strategy: row.strategyName,
          venue: row.venueName,
          blockchain: chainOf(row),
          token: row.token,
          ...present(row),
        })),
        pagination: paginationOf({ limit, offset }, total, items.length),
      })
    },
  )
}
