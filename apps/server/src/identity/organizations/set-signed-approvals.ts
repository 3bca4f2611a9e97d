import { type Transact, type Tx, transactOn } from '../../database/index.ts'
import { Failure } from '../../kernel/index.ts'
import type { UserCredential } from '../shared/credential.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { getSecuritySettings, type SecuritySettings } from './security-settings.ts'

/**
 * Requires passkey signatures on approvals of operations, or stops requiring them. Approvals that were given without a
 * signature do not count while it is required. CONFLICT (`passkey_missing`) when an owner without a passkey requires
 * it.
 */
export async function setSignedApprovals(
  { db }: Pick<IdentityParts, 'db'>,
  actor: UserCredential,
  required: boolean,
  transact: Transact<SecuritySettings> = transactOn(db),
): Promise<SecuritySettings> {
  const { organizationId } = actor
  return await transact(async (tx) => {
    if (required) await requireOwnPasskey(tx, actor)
    await tx.updateTable('organizations').set({ signed_approvals: required }).where('id', '=', organizationId).execute()
    return await getSecuritySettings({ db: tx }, organizationId)
  })
}

async function requireOwnPasskey(tx: Tx, { organizationId, userId }: UserCredential): Promise<void> {
  const passkey = await tx
    .selectFrom('user_passkeys')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .limit(1)
    .executeTakeFirst()
  if (passkey !== undefined) return
  throw new Failure('CONFLICT', {
    message: 'Add a passkey of your own first.',
    details: { reason: 'passkey_missing' },
  })
}
