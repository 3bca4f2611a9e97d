import type { UserCredential } from '../shared/credential.ts'
import type { IdentityParts } from '../shared/parts.ts'

export interface Passkey {
  readonly id: number
  readonly name: string
  /** Base64url; an agent that checks signed approvals is configured with both. */
  readonly credentialId: string
  readonly publicKey: string
  /** Whether the authenticator synchronizes it between devices. */
  readonly isBackedUp: boolean
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
}

export interface UserFactors {
  /** When the authenticator app was confirmed; `null`: there is none. */
  readonly totpSince: Date | null
  /** Oldest first. */
  readonly passkeys: readonly Passkey[]
  readonly recoveryCodesLeft: number
}

/** The user's own second factors. */
export async function listFactors(
  { db }: Pick<IdentityParts, 'db'>,
  { organizationId, userId }: UserCredential,
): Promise<UserFactors> {
  const [totp, passkeys, codes] = await Promise.all([
    db
      .selectFrom('user_totp')
      .select('confirmed_at')
      .where('organization_id', '=', organizationId)
      .where('user_id', '=', userId)
      .executeTakeFirst(),
    db
      .selectFrom('user_passkeys')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .where('user_id', '=', userId)
      .orderBy('id')
      .execute(),
    db
      .selectFrom('user_recovery_codes')
      .select((row) => row.fn.countAll<number>().as('left'))
      .where('organization_id', '=', organizationId)
      .where('user_id', '=', userId)
      .where('used_at', 'is', null)
      .executeTakeFirstOrThrow(),
  ])
  return {
    totpSince: totp?.confirmed_at ?? null,
    passkeys: passkeys.map((row) => ({
      id: row.id,
      name: row.name,
      credentialId: row.credential_id.toString('base64url'),
      publicKey: row.public_key.toString('base64url'),
      isBackedUp: row.backed_up,
      createdAt: row.created_at,
      lastUsedAt: row.last_used_at,
    })),
    recoveryCodesLeft: Number(codes.left),
  }
}
