import type { Tx } from '../../database/index.ts'
import { createAccountSecret } from '../keys/key-material.ts'
import type { IdentityParts } from '../shared/parts.ts'

interface NewSecret {
  readonly organizationId: number
  readonly serviceAccountId: number
  /** The member who receives it. */
  readonly createdBy: number
  readonly expiresAt: Date | null
}

/** Makes the current secret of an account, which must have none, and returns it. Only its keyed hash is stored. */
export async function storeSecret(
  tx: Tx,
  parts: Pick<IdentityParts, 'clock' | 'random' | 'secrets' | 'environment'>,
  { organizationId, serviceAccountId, createdBy, expiresAt }: NewSecret,
): Promise<string> {
  const { text, hash, preview } = createAccountSecret(parts)
  await tx
    .insertInto('service_account_secrets')
    .values({
      organization_id: organizationId,
      service_account_id: serviceAccountId,
      secret_hash: hash,
      pepper_id: parts.secrets.pepper.currentId,
      preview,
      created_at: parts.clock.now(),
      created_by: createdBy,
      expires_at: expiresAt,
    })
    .execute()
  return text
}
