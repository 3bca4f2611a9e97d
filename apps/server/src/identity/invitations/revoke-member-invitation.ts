import { type Transact, transactOn } from '../../database/index.ts'
import { Failure } from '../../kernel/index.ts'
import type { UserCredential } from '../shared/credential.ts'
import type { IdentityParts } from '../shared/parts.ts'

/**
 * Ends an open invitation: its link stops working at once. NOT_FOUND for one that is not open or belongs to somebody
 * else, FORBIDDEN when an admin revokes the invitation of an owner.
 */
export async function revokeMemberInvitation(
  parts: Pick<IdentityParts, 'db' | 'clock'>,
  { organizationId, role }: UserCredential,
  invitationId: number,
  transact: Transact<void> = transactOn(parts.db),
): Promise<void> {
  await transact(async (tx) => {
    const at = parts.clock.now()
    const revoked = await tx
      .updateTable('member_invitations')
      .set({ revoked_at: at })
      .where('organization_id', '=', organizationId)
      .where('id', '=', invitationId)
      .where('accepted_at', 'is', null)
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', at)
      .returning('role')
      .executeTakeFirst()
    if (revoked === undefined) throw new Failure('NOT_FOUND', { message: 'The invitation does not exist.' })
    if (revoked.role === 'owner' && role !== 'owner') {
      throw new Failure('FORBIDDEN', { message: 'Only an owner can revoke the invitation of an owner.' })
    }
  })
}
