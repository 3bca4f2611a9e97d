import type { Tx } from '../../database/index.ts'

/** Changes of one organization's sign-in and members take turns from here to the end of the transaction. */
export async function lockOrganization(tx: Tx, organizationId: number): Promise<void> {
  await tx.selectFrom('organizations').select('id').where('id', '=', organizationId).forNoKeyUpdate().execute()
}
