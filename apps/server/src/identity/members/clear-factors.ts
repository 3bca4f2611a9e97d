import type { Tx } from '../../database/index.ts'

/** Removes all second factors of a member, their recovery codes, and logins that wait for one. */
export async function clearFactors(
  tx: Tx,
  { organizationId, id }: { readonly organizationId: number; readonly id: number },
): Promise<void> {
  await tx
    .updateTable('users')
    .set({ second_factors: [] })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()
  await tx.deleteFrom('user_totp').where('organization_id', '=', organizationId).where('user_id', '=', id).execute()
  await tx.deleteFrom('user_passkeys').where('organization_id', '=', organizationId).where('user_id', '=', id).execute()
  await tx
    .deleteFrom('user_recovery_codes')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', id)
    .execute()
  await tx
    .deleteFrom('factor_challenges')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', id)
    .execute()
}
