import Type from 'typebox'
import { type WalletStatistics, walletStatistics } from '../../../allocations/index.ts'
import { formatDecimal, SUM_DECIMALS } from '../../../kernel/index.ts'
import type { WalletParts } from '../../../wallets/index.ts'
import { type App, envelope, ok } from '../../http/index.ts'
import { byEveryoneAndServiceAccounts } from '../access.ts'
import { decimal } from '../formats.ts'

const WalletStats = Type.Object(
  {
    totalWallets: Type.Integer({ description: 'Wallets of the organization.' }),
    monitoredWallets: Type.Integer({ description: 'Operational wallets.' }),
    totalBalance: decimal('Sum of available, reserved and deployed over all wallets, in USD.'),
    deployedBalance: decimal('Current value of all positions, including yield, in USD.'),
    withdrawableBalance: Type.Optional(
      decimal('What all wallets together could certainly withdraw of deployedBalance now, as last read, in USD.'),
    ),
    availableBalance: decimal('Available for use, in USD.'),
    yieldEarned: decimal('Lifetime yield, realized and unrealized, in USD; may be negative.'),
  },
  {
    $id: 'WalletStats',
    description: 'Totals over all wallets of the organization; every stablecoin counts as 1 USD.',
  },
)

const sum = (amount: bigint) => formatDecimal(amount, SUM_DECIMALS)

const present = (statistics: WalletStatistics) => ({
  totalWallets: statistics.totalWallets,
  monitoredWallets: statistics.operationalWallets,
  totalBalance: sum(statistics.total),
  deployedBalance: sum(statistics.deployed),
  withdrawableBalance: sum(statistics.withdrawable),
  availableBalance: sum(statistics.available),
  yieldEarned: sum(statistics.yieldEarned),
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
    async (request) => ok(present(await walletStatistics(parts, request.credential.organizationId))),
  )
}
