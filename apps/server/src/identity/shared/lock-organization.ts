import type { Tx } from '../../database/index.ts'

/**
 * Serializes the caller with every other holder, to the end of the transaction: changes of an organization's members, of
 * how they sign in, and of the rules for changes.
 */
export async function lockOrganization(tx: Tx, organizationId: number): Promise<void> {
  await tx.selectFrom('organizations').select('id').where('id', '=', organizationId).forNoKeyUpdate().execute()
}
