import type { Chains } from '../../chains/index.ts'
import { type Database, selectCount } from '../../database/index.ts'
import { type TokenTotals, yieldStatistics } from './yield-statistics.ts'

/** Totals over all wallets of an organization, operational or not. */
export interface WalletStatistics {
  readonly totalWallets: number
  readonly operationalWallets: number
  readonly all: TokenTotals
  /** By symbol, over all chains; tokens that were never held are left out. */
  readonly byToken: readonly (TokenTotals & { readonly token: string })[]
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
  const { all, byToken } = await yieldStatistics(parts, organizationId, undefined)
  return { totalWallets: counts.total, operationalWallets: counts.monitored ?? 0, all, byToken }
}
