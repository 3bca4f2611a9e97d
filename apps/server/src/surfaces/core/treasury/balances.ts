import Type from 'typebox'
import { BLOCKCHAINS, type Chains } from '../../../chains/index.ts'
import type { Database } from '../../../database/index.ts'
import {
  type Clock,
  formatDecimal,
  LIST_LIMIT_DEFAULT,
  SUM_DECIMALS,
  toSumUnits,
  validationError,
} from '../../../kernel/index.ts'
import { type BalanceAt, listBalancesAt, type TokenBalanceAt } from '../../../ledger/index.ts'
import { requireConfiguredToken } from '../../../wallets/index.ts'
import { type App, envelope, id, ok, pageQuery } from '../../http/index.ts'
import { byEveryoneAndKeys } from '../access.ts'
import { decimal, orNull } from '../formats.ts'
import { Pagination, paginationOf } from '../pagination.ts'
import { dateTime } from '../schemas.ts'

const amounts = {
  totalBalance: decimal('Sum of available, reserved, deployed and exiting. Also netInflow plus yieldEarned.'),
  availableBalance: decimal('In the wallet, available for use.'),
  reservedBalance: decimal('Reserved for operations that were unfinished.'),
  deployedBalance: decimal('Posted value of its positions, with the yield that was posted until then.'),
  exitingBalance: decimal('Requested back from strategies, and not claimed.'),
  netInflow: decimal('Inflows from outside minus outflows; may be negative.'),
  yieldEarned: decimal('Yield posted since the first deposit; may be negative.'),
}
const blockchain = Type.Enum([...BLOCKCHAINS], { description: 'Blockchain, lower case.' })
const token = Type.String({ description: 'Token symbol.' })

const Balances = Type.Object(
  {
    at: dateTime('The requested moment.'),
    summary: Type.Object(
      {
        ...amounts,
        byToken: Type.Array(
          Type.Object(
            { blockchain, token, wallets: Type.Integer({ description: 'How many wallets.' }), ...amounts },
            { $id: 'TokenBalancesAt', description: 'One token on one blockchain.' },
          ),
          { description: 'By blockchain and token, in units of the token.' },
        ),
      },
      { description: 'Of all wallets, not only this page, in USD; every stablecoin counts as 1 USD.' },
    ),
    wallets: Type.Array(
      Type.Object(
        {
          walletId: id('Wallet id.'),
          address: Type.String({ description: 'Address of the wallet.' }),
          label: orNull(Type.String({ description: 'Label.' }), 'Label of the wallet today; null if it has none.'),
          blockchain,
          token,
          ...amounts,
        },
        { $id: 'WalletBalancesAt', description: 'One token of one wallet.' },
      ),
      { description: 'The page: newest wallet first. Wallets that had posted nothing are left out.' },
    ),
    pagination: Pagination,
  },
  { $id: 'BalancesAt', description: 'What the ledger showed at a moment.' },
)

type Amounts = Pick<BalanceAt, 'available' | 'reserved' | 'deployed' | 'exiting' | 'yield' | 'external'>

function present(sums: Amounts, decimals: number) {
  const { available, reserved, deployed, exiting } = sums
  const format = (amount: bigint) => formatDecimal(amount, decimals)
  return {
    totalBalance: format(available + reserved + deployed + exiting),
    availableBalance: format(available),
    reservedBalance: format(reserved),
    deployedBalance: format(deployed),
    exitingBalance: format(exiting),
    netInflow: format(-sums.external),
    yieldEarned: format(-sums.yield),
  }
}

/** Adds tokens up in sum units. */
function totalOf(parts: readonly (Amounts & { readonly decimals: number })[]): Amounts {
  const sum = (name: keyof Amounts) => parts.reduce((total, part) => total + toSumUnits(part[name], part.decimals), 0n)
  return {
    available: sum('available'),
    reserved: sum('reserved'),
    deployed: sum('deployed'),
    exiting: sum('exiting'),
    yield: sum('yield'),
    external: sum('external'),
  }
}

/** `GET /api/core/balances`. */
export function balanceRoutes(
  app: App,
  parts: { readonly db: Database; readonly chains: Chains; readonly clock: Clock },
): void {
  app.get(
    '/api/core/balances',
    {
      config: byEveryoneAndKeys,
      schema: {
        tags: ['Organization wallets'],
        operationId: 'listBalances',
        summary: 'List the balances as of a moment',
        description:
          'What the ledger showed at a moment, wallet by wallet and in total: the sums of what was posted before it, by the clock of the service. Entries are never changed, so the response for a past moment stays the same. For the end of a day, send the midnight after it. A moment further back takes longer. Error: NOT_READY, while something before a moment just past is still being posted.',
        querystring: Type.Object({
          ...pageQuery,
          at: dateTime('What was posted before this moment counts. Not in the future.'),
        }),
        response: { 200: envelope(Balances, 'The balances.') },
      },
    },
    async ({ credential: { organizationId }, query }) => {
      const { limit = LIST_LIMIT_DEFAULT, offset = 0 } = query
      const at = new Date(query.at)
      if (at > parts.clock.now()) throw validationError('at', 'must not be in the future')
      const { items, tokens, total } = await listBalancesAt(parts, organizationId, { at, limit, offset })
      const withToken = <T extends BalanceAt | TokenBalanceAt>(row: T) => {
        const { symbol, decimals } = requireConfiguredToken(parts.chains, row.blockchain, row.tokenAddress)
        return { ...row, symbol, decimals }
      }
      const named = <T extends BalanceAt | TokenBalanceAt>(row: T & { symbol: string; decimals: number }) => ({
        blockchain: row.blockchain as (typeof BLOCKCHAINS)[number],
        token: row.symbol,
        ...present(row, row.decimals),
      })
      const sums = tokens.map(withToken)
      return ok({
        at: at.toISOString(),
        summary: {
          ...present(totalOf(sums), SUM_DECIMALS),
          byToken: sums.map((row) => ({ wallets: row.wallets, ...named(row) })),
        },
        wallets: items.map(withToken).map((row) => ({
          walletId: row.walletId,
          address: row.walletAddress,
          label: row.walletLabel,
          ...named(row),
        })),
        pagination: paginationOf({ limit, offset }, total, items.length),
      })
    },
  )
}
