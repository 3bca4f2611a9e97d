import Type from 'typebox'
import { type WalletStatistics, walletStatistics } from '../../../allocations/index.ts'
import { formatDecimal, SUM_DECIMALS } from '../../../kernel/index.ts'
import type { WalletParts } from '../../../wallets/index.ts'
import { type App, envelope, ok } from '../../http/index.ts'
import { byEveryone } from '../access.ts'
import { decimal } from '../formats.ts'

const WalletStats = Type.Object(
  {
    totalWallets: Type.Integer({ description: 'Wallets of the organization.' }),
    monitoredWallets: Type.Integer({ description: 'Operational wallets.' }),
    totalBalance: decimal('Available, reserved and deployed, of all wallets, in USD.'),
    deployedBalance: decimal('What all positions are worth now, yield included, in USD.'),
    availableBalance: decimal('Free to use, in USD.'),
    yieldEarned: decimal('Realized and unrealized since the start, in USD; may be negative.'),
  },
  {
    $id: 'WalletStats',
    description: 'What the organization has in all its wallets; every stablecoin counts as 1 USD.',
  },
)

const sum = (amount: bigint) => formatDecimal(amount, SUM_DECIMALS)

const present = (statistics: WalletStatistics) => ({
  totalWallets: statistics.totalWallets,
  monitoredWallets: statistics.operationalWallets,
  totalBalance: sum(statistics.total),
  deployedBalance: sum(statistics.deployed),
  availableBalance: sum(statistics.available),
  yieldEarned: sum(statistics.yieldEarned),
})

/** Wallet statistics (spec 2.2 and 4.2). */
export function walletStatsRoutes(app: App, parts: WalletParts): void {
  app.get(
    '/api/core/wallets/stats',
    {
      config: byEveryone,
      schema: {
        tags: ['Organization wallets'],
        operationId: 'getWalletStats',
        summary: 'Statistics of all wallets',
        description: 'Monitored or not; what is at work at its present value.',
        response: { 200: envelope(WalletStats, 'The statistics.') },
      },
    },
    async (request) => ok(present(await walletStatistics(parts, request.credential.organizationId))),
  )
}
