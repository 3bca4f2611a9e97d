import { sql } from 'kysely'
import type { Chains } from '../chains/index.ts'
import { type Database, tallyOf } from '../database/index.ts'
import { inSum } from '../kernel/index.ts'
import { watchedToken } from '../wallets/index.ts'
import { type PostedPosition, presentValue } from './present-value.ts'

/** What an organization has in all its wallets. Amounts as sums over tokens (see kernel `SUM_DECIMALS`). */
export interface WalletStatistics {
  readonly totalWallets: number
  readonly monitoredWallets: number
  readonly available: bigint
  /** Present value, yield included (decisions 1). */
  readonly deployed: bigint
  /** Available, reserved and deployed. */
  readonly total: bigint
  /** Realized and unrealized since the start; may be negative. */
  readonly yieldEarned: bigint
}

/**
 * Statistics of all wallets of an organization (specification 2.2). What was earned up to the last posting stands in the
 * ledger; what the latest price adds to it is the difference of the positions' present value to their posted one.
 */
export async function walletStatistics(
  { db, chains }: { db: Database; chains: Chains },
  organizationId: number,
): Promise<WalletStatistics> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      const counts = await tx
        .selectFrom(tallyOf(tx, { counted: 'wallets', organizationId, walletProfileId: null }).as('wallets'))
        .select('wallets.total')
        .select((from) =>
          from
            .selectFrom('operational_wallets')
            .select(({ fn }) => fn.countAll<number>().as('monitored'))
            .where('organization_id', '=', organizationId)
            .as('monitored'),
        )
        .executeTakeFirstOrThrow()
      const balances = await tx
        .selectFrom('ledger_balances')
        .innerJoin('wallets', (join) =>
          join
            .onRef('wallets.organization_id', '=', 'ledger_balances.organization_id')
            .onRef('wallets.id', '=', 'ledger_balances.wallet_id'),
        )
        .select(['wallets.blockchain', 'ledger_balances.token_address'])
        .select([
          sql<bigint>`sum(ledger_balances.available)`.as('available'),
          sql<bigint>`sum(ledger_balances.reserved)`.as('reserved'),
          sql<bigint>`-sum(ledger_balances.yield)`.as('earned'),
        ])
        .where('ledger_balances.organization_id', '=', organizationId)
        .groupBy(['wallets.blockchain', 'ledger_balances.token_address'])
        .execute()
      const positions = await tx
        .selectFrom('allocations')
        .innerJoin('strategies', 'strategies.id', 'allocations.strategy_id')
        .select([
          'allocations.shares',
          'allocations.posted_price',
          'allocations.posted_at',
          'allocations.posted_value',
          'strategies.protocol',
          'strategies.price',
          'strategies.price_at',
          'strategies.token_decimals',
        ])
        .where('allocations.organization_id', '=', organizationId)
        .where('allocations.status', 'in', ['ACTIVE', 'UNWINDING'])
        .execute()

      const sums = { available: 0n, reserved: 0n, deployed: 0n, yieldEarned: 0n }
      for (const row of balances) {
        const { decimals } = watchedToken(chains, row.blockchain, row.token_address)
        sums.available += inSum(row.available, decimals)
        sums.reserved += inSum(row.reserved, decimals)
        sums.yieldEarned += inSum(row.earned, decimals)
      }
      for (const row of positions) {
        const { value } = presentValue(row satisfies PostedPosition)
        sums.deployed += inSum(value, row.token_decimals)
        sums.yieldEarned += inSum(value - row.posted_value, row.token_decimals)
      }
      return {
        totalWallets: counts.total,
        monitoredWallets: counts.monitored ?? 0,
        available: sums.available,
        deployed: sums.deployed,
        total: sums.available + sums.reserved + sums.deployed,
        yieldEarned: sums.yieldEarned,
      }
    })
}
