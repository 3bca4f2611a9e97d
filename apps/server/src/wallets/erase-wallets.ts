import type { ErasureStep } from '../identity/index.ts'

/** Destroys what the organization wrote about its wallets and their users. Addresses stay with the ledger. */
export const WALLET_ERASURE: ErasureStep = {
  name: 'wallets',
  async erase(tx, { organizationId }) {
    const wallets = await tx
      .updateTable('wallets')
      .set({ user_id: null, org_metadata: null, label: null, custody_provider: null })
      .where('organization_id', '=', organizationId)
      .where((where) =>
        where.or([
          where('user_id', 'is not', null),
          where('org_metadata', 'is not', null),
          where('label', 'is not', null),
          where('custody_provider', 'is not', null),
        ]),
      )
      .executeTakeFirst()
    const operational = await tx
      .updateTable('operational_wallets')
      .set({ metadata: null })
      .where('organization_id', '=', organizationId)
      .where('metadata', 'is not', null)
      .executeTakeFirst()
    return Number(wallets.numUpdatedRows + operational.numUpdatedRows)
  },
}
