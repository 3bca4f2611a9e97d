import { sql } from 'kysely'
import type { Tx } from '../../../database/index.ts'
import type { Wallet } from '../../../wallets/index.ts'

/** Locks wallets in the order of their ids, like every lock of several, to avoid deadlocks. One statement. */
export async function lockWallets(
  tx: Tx,
  wallets: readonly Pick<Wallet, 'organizationId' | 'walletId'>[],
): Promise<void> {
  await sql`
    select id from wallets
    where (organization_id, id) in (select * from unnest(
      ${wallets.map(({ organizationId }) => organizationId)}::bigint[],
      ${wallets.map(({ walletId }) => walletId)}::bigint[]))
    order by id for update
  `.execute(tx)
}
