import type { Database, Tx } from '../../database/index.ts'

/** Whether the organization requires that approvals are signed with passkeys. */
export async function areSignaturesRequired(db: Database | Tx, organizationId: number): Promise<boolean> {
  const { required } = await db
    .selectFrom('organizations')
    .select('signed_approvals as required')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow()
  return required
}
