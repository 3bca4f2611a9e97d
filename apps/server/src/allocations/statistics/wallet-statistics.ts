import type { Chains } from '../../chains/index.ts'
import { type Database, selectCount } from '../../database/index.ts'
import { yieldStatistics } from './yield-statistics.ts'

/** Totals over all wallets of an organization. Amounts as sums over tokens (see kernel `SUM_DECIMALS`). */
export interface WalletStatistics {
  readonly totalWallets: number
  readonly operationalWallets: number
  readonly available: bigint
  /** Current value, including yield (contract 1). */
  readonly deployed: bigint
  /** What could be withdrawn of `deployed` at the last readings. */
  readonly withdrawable: bigint
  /** Available, reserved, deployed, and requested back. */
  readonly total: bigint
  /** Realized and unrealized yield since the start; may be negative. */
  readonly yieldEarned: bigint
}

/** Statistics of all wallets of an organization (spec 2.2). */
export async function walletStatistics(
  parts: { db: Database; chains: Chains },
  organizationId: number,
): Promise<WalletStatistics> {
  const { db } = parts
  const counts = await db
    .selectFrom(selectCount(db, { entity: 'wallets', organizationId, walletProfileId: null }).as('wallets'))
    .select('wallets.total')
    .select((from) =>
      from
        .selectFrom('operational_wallets')
        .select(({ fn }) => fn.countAll<number>().as('monitored'))
        .where('organization_id', '=', organizationId)
        .as('monitored'),
    )
    .executeTakeFirstOrThrow()
  const { all } = await yieldStatistics(parts, organizationId, undefined)
  return {
    totalWallets: counts.total,
    operationalWallets: counts.monitored ?? 0,
    available: all.available,
    deployed: all.allocated,
    withdrawable: all.withdrawable,
    total: all.total,
    yieldEarned: all.yield,
  }
}
