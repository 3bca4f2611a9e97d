import Type from 'typebox'
import { readLiquidity, type TokenLiquidity, UNKNOWN_REASONS } from '../../../allocations/index.ts'
import { BLOCKCHAINS, type Chains } from '../../../chains/index.ts'
import type { Database } from '../../../database/index.ts'
import { DAY_MS, formatDecimal, SUM_DECIMALS, toSumUnits } from '../../../kernel/index.ts'
import { type App, envelope, ok } from '../../http/index.ts'
import { byEveryoneAndKeys } from '../access.ts'
import { decimal } from '../formats.ts'

const amounts = {
  total: decimal('All of it: `withinMonth` and the amounts of `unknown`, and what comes back later than a month.'),
  inWallets: decimal('Free in the wallets.'),
  withinMinute: decimal(
    '`inWallets`, and what each strategy would pay now, counted on its own: strategies that draw on the same pool, such as a vault that lends to Aave beside Aave, may pay less together. Confirming the transaction can take longer than a minute.',
  ),
  withinDay: decimal('`withinMinute`, and what comes back within a day at the latest.'),
  withinMonth: decimal('`withinDay`, and what comes back within 30 days at the latest.'),
  unknown: Type.Object(
    {
      reserved: decimal('Held by unfinished operations.'),
      illiquid: decimal('In strategies that would not pay it now, because the money is lent out or they are paused.'),
      shared: decimal(
        'Each wallet could withdraw it now, but the strategy is not known to hold enough for all of them.',
      ),
      exiting: Type.Optional(decimal('Requested back from strategies that do not say when it can be claimed.')),
      unread: decimal('In strategies whose withdrawable amount is not known.'),
    },
    { description: 'Funds whose return time is unknown, by reason.' },
  ),
}

const TokenLiquidityData = Type.Object(
  {
    blockchain: Type.Enum([...BLOCKCHAINS], { description: 'Blockchain, lower case.' }),
    token: Type.String({ description: 'Token symbol.' }),
    ...amounts,
  },
  { $id: 'TokenLiquidity', description: 'When the money of one token on one blockchain could be back.' },
)

const Liquidity = Type.Object(
  {
    ...amounts,
    tokens: Type.Array(TokenLiquidityData, { description: 'By blockchain and token, in units of the token.' }),
  },
  { $id: 'Liquidity', description: "When the organization's money could be back; totals in USD." },
)

const MINUTE = 60
const DAY = DAY_MS / 1_000
const MONTH = 30 * DAY

/** The same amounts for one token, in its base units, or for all, in sum units. */
function periods(parts: readonly TokenLiquidity[], unitsOf: (amount: bigint, part: TokenLiquidity) => bigint) {
  const sum = (amountOf: (part: TokenLiquidity) => bigint) =>
    parts.reduce((total, part) => total + unitsOf(amountOf(part), part), 0n)
  const within = (seconds: number) =>
    sum(({ inWallets, atOnce, later }) =>
      later.filter((exit) => exit.seconds <= seconds).reduce((total, exit) => total + exit.amount, inWallets + atOnce),
    )
  return {
    total: sum(({ total }) => total),
    inWallets: sum(({ inWallets }) => inWallets),
    withinMinute: within(MINUTE),
    withinDay: within(DAY),
    withinMonth: within(MONTH),
    unknown: Object.fromEntries(UNKNOWN_REASONS.map((reason) => [reason, sum(({ unknown }) => unknown[reason])])),
  }
}

function present({ unknown, ...amount }: ReturnType<typeof periods>, decimals: number) {
  const format = (units: bigint) => formatDecimal(units, decimals)
  const { reserved, illiquid, shared, exiting, unread } = unknown
  return {
    total: format(amount.total),
    inWallets: format(amount.inWallets),
    withinMinute: format(amount.withinMinute),
    withinDay: format(amount.withinDay),
    withinMonth: format(amount.withinMonth),
    unknown: {
      reserved: format(reserved!),
      illiquid: format(illiquid!),
      shared: format(shared!),
      exiting: format(exiting!),
      unread: format(unread!),
    },
  }
}

/** `GET /api/core/liquidity`. */
export function liquidityRoutes(app: App, parts: { readonly db: Database; readonly chains: Chains }): void {
  app.get(
    '/api/core/liquidity',
    {
      config: byEveryoneAndKeys,
      schema: {
        tags: ['Risk'],
        operationId: 'getLiquidity',
        summary: 'Get when the money could be back',
        description:
          'How much the organization could have back within a minute, a day and 30 days, from what each strategy would pay at the last readings. Strategies that draw on the same pool each count all that it can pay, so together they may pay less. What cannot be known is in `unknown`, by reason. Every stablecoin counts as 1 USD in the totals.',
        response: { 200: envelope(Liquidity, 'The amounts.') },
      },
    },
    async ({ credential: { organizationId } }) => {
      const liquidity = await readLiquidity(parts, organizationId)
      const all = periods(liquidity, (amount, { tokenDecimals }) => toSumUnits(amount, tokenDecimals))
      return ok({
        ...present(all, SUM_DECIMALS),
        tokens: liquidity.map((one) => ({
          blockchain: one.blockchain as (typeof BLOCKCHAINS)[number],
          token: one.token,
          ...present(
            periods([one], (amount) => amount),
            one.tokenDecimals,
          ),
        })),
      })
    },
  )
}
