import { type Transact, type Tx, transactOn } from '../../../database/index.ts'
import type { UserCredential } from '../../shared/credential.ts'
import { lockOrganization } from '../../shared/lock-organization.ts'
import type { SsoParts } from '../parts.ts'
import { readProvider } from './provider.ts'

/**
 * Deletes an identity provider: nobody signs in there from now on, and passwords work again for its domains. Its domains
 * stay proved. Sign-ins under way end; open sessions and the links of members to their accounts stay, in case it is added again. NOT_FOUND.
 */
export async function deleteProvider(
  parts: Pick<SsoParts, 'db' | 'clock'>,
  actor: UserCredential,
  providerId: number,
  transact: Transact<void> = transactOn(parts.db),
): Promise<void> {
  await transact(async (tx) => {
    const { organizationId } = actor
    await lockOrganization(tx, organizationId)
    await readProvider(tx, { organizationId, providerId })
    await tx
      .updateTable('sso_domains')
      .set({ provider_id: null })
      .where('organization_id', '=', organizationId)
      .where('provider_id', '=', providerId)
      .execute()
    await tx
      .updateTable('sso_providers')
      .set({ deleted_at: parts.clock.now(), client_secret: Buffer.alloc(0) })
      .where('organization_id', '=', organizationId)
      .where('id', '=', providerId)
      .execute()
    await endSignIns(tx, { organizationId, providerId })
  })
}

/** Ends sign-ins that are not exchanged yet, and logins of their members that wait for a second factor. */
async function endSignIns(
  tx: Tx,
  { organizationId, providerId }: { readonly organizationId: number; readonly providerId: number },
): Promise<void> {
  // First: an exchange that is under way commits its challenge before the next statement reads.
  await tx
    .updateTable('sso_sign_ins')
    .set({ code_hash: null })
    .where('organization_id', '=', organizationId)
    .where('provider_id', '=', providerId)
    .where('code_hash', 'is not', null)
    .where('exchanged_at', 'is', null)
    .execute()
  await tx
    .deleteFrom('factor_challenges')
    .using('sso_sign_ins')
    .where('sso_sign_ins.organization_id', '=', organizationId)
    .where('sso_sign_ins.provider_id', '=', providerId)
    .where('sso_sign_ins.exchanged_at', 'is not', null)
    .where('sso_sign_ins.session_id', 'is', null)
    .where('factor_challenges.purpose', '=', 'sso_login')
    .whereRef('factor_challenges.organization_id', '=', 'sso_sign_ins.organization_id')
    .whereRef('factor_challenges.user_id', '=', 'sso_sign_ins.user_id')
    .execute()
}
