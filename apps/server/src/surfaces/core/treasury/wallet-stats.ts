import Type from 'typebox'
import { type TokenTotals, type WalletStatistics, walletStatistics } from '../../../allocations/index.ts'
import { formatDecimal, SUM_DECIMALS } from '../../../kernel/index.ts'
import type { WalletParts } from '../../../wallets/index.ts'
import { type App, envelope, ok } from '../../http/index.ts'
import { byEveryoneAndServiceAccounts } from '../access.ts'
import { decimal } from '../formats.ts'

const deployedBalance = decimal('Current value of all positions, including yield, in USD.')
const availableBalance = decimal('Available for use, in USD.')
const reservedBalance = decimal('Reserved for unfinished operations, in USD.')
const exitingBalance = decimal('Requested back from strategies that pay later, and not claimed, in USD.')
const yieldEarned = decimal('Lifetime yield, realized and unrealized, in USD; may be negative.')

export const WalletStats = Type.Object(
  {
    totalWallets: Type.Integer({ description: 'Wallets of the organization.' }),
    monitoredWallets: Type.Integer({ description: 'Operational wallets.' }),
    totalBalance: decimal('Sum of available, reserved, deployed and exiting over all wallets, in USD.'),
    deployedBalance,
    withdrawableBalance: Type.Optional(
      decimal(
        'What all wallets together could withdraw of deployedBalance now, as last read, in USD. Each strategy counts on its own: those that draw on the same pool may pay less together.',
      ),
    ),
    availableBalance,
    reservedBalance: Type.Optional(reservedBalance),
    exitingBalance: Type.Optional(exitingBalance),
    yieldEarned,
    byToken: Type.Optional(
      Type.Array(
        Type.Object(
          {
            token: Type.String({ description: 'Token symbol; amounts cover all blockchains.' }),
            totalBalance: decimal('Sum of available, reserved, deployed and exiting, in USD.'),
            availableBalance,
            reservedBalance,
            deployedBalance,
            exitingBalance,
            yieldEarned,
          },
          { $id: 'WalletStatsOfToken', description: 'Totals of one token.' },
        ),
        { description: 'The same by token; tokens that no wallet holds or held are left out.' },
      ),
    ),
  },
  {
    $id: 'WalletStats',
    description: 'Totals over all wallets of the organization; every stablecoin counts as 1 USD.',
  },
)

const sum = (amount: bigint) => formatDecimal(amount, SUM_DECIMALS)

const presentTotals = (totals: TokenTotals) => ({
  totalBalance: sum(totals.total),
  availableBalance: sum(totals.available),
  reservedBalance: sum(totals.reserved),
  deployedBalance: sum(totals.allocated),
  exitingBalance: sum(totals.exiting),
  yieldEarned: sum(totals.yield),
})

export const presentWalletStats = ({ totalWallets, operationalWallets, all, byToken }: WalletStatistics) => ({
  totalWallets,
  monitoredWallets: operationalWallets,
  ...presentTotals(all),
  withdrawableBalance: sum(all.withdrawable),
  byToken: byToken.map((totals) => ({ token: totals.token, ...presentTotals(totals) })),
})

/** Wallet statistics (spec 2.2 and 4.2). */
export function walletStatsRoutes(app: App, parts: WalletParts): void {
  app.get(
    '/api/core/wallets/stats',
    {
      config: byEveryoneAndServiceAccounts,
      schema: {
        tags: ['Organization wallets'],
        operationId: 'getWalletStats',
        summary: 'Get wallet statistics',
        description: 'Totals over all wallets, operational or not. Open positions count at their current value.',
        response: { 200: envelope(WalletStats, 'The statistics.') },
      },
    },
    async (request) => ok(presentWalletStats(await walletStatistics(parts, request.credential.organizationId))),
  )
}
