import { sql } from 'kysely'
import type { ErasureStep } from '../identity/index.ts'
import { ERASURE_ROWS_BATCH } from '../kernel/index.ts'

/** Destroys what the organization wrote about its wallets and their users, in batches. Addresses stay with the ledger. */
export const WALLET_ERASURE: ErasureStep = {
  name: 'wallets',
  async erase(tx, { organizationId }) {
    const { numAffectedRows: wallets = 0n } = await sql`
      update wallets set user_id = null, org_metadata = null, label = null, custody_provider = null
      where organization_id = ${organizationId} and id in (
        select id from wallets where organization_id = ${organizationId}
          and (user_id is not null or org_metadata is not null or label is not null or custody_provider is not null)
        limit ${ERASURE_ROWS_BATCH})
    `.execute(tx)
    const { numAffectedRows: operational = 0n } = await sql`
      update operational_wallets set metadata = null where organization_id = ${organizationId} and id in (
        select id from operational_wallets where organization_id = ${organizationId} and metadata is not null
        limit ${ERASURE_ROWS_BATCH})
    `.execute(tx)
    return Number(wallets + operational)
  },
}
