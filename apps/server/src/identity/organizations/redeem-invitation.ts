import type { Tx } from '../../database/index.ts'
import { Failure } from '../../kernel/index.ts'
import { tokenHash } from '../shared/token-hash.ts'

export interface Redemption {
  readonly token: string
  /** The address that registers, normalized. */
  readonly email: string
  readonly at: Date
}

/**
 * Uses an invitation up, in the transaction that creates its organization: `create` runs only if the invitation is
 * valid, and returns the organization. FORBIDDEN if the token is unknown, used, expired or meant for another address:
 * the response does not say which.
 */
export async function redeemInvitation<T extends { readonly organization: { readonly id: number } }>(
  tx: Tx,
  { token, email, at }: Redemption,
  create: () => Promise<T>,
): Promise<T> {
  const hash = tokenHash(token)
  const invitation = await tx
    .selectFrom('registration_invitations')
    .select('token_hash')
    .where('token_hash', '=', hash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', at)
    .where((where) => where.or([where('email', 'is', null), where('email', '=', email)]))
    .forUpdate()
    .executeTakeFirst()
  if (invitation === undefined) throw new Failure('FORBIDDEN', { message: 'This invitation is not valid.' })
  const created = await create()
  await tx
    .updateTable('registration_invitations')
    .set({ used_at: at, organization_id: created.organization.id })
    .where('token_hash', '=', hash)
    .execute()
  return created
}
