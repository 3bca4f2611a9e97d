import { type Transact, transactOn } from '../../database/index.ts'
import type { UserCredential } from '../shared/credential.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { endSessions } from './end-sessions.ts'
import { lockMember, refuseLastOwner } from './member-rules.ts'

/**
 * Removes a member: their sessions end at once and their email is free again. Keys belong to the organization and stay,
 * and so do views that the member shared.
 * NOT_FOUND, FORBIDDEN when an admin removes an owner, CONFLICT for the last owner (contract 3).
 */
export async function removeMember(
  parts: Pick<IdentityParts, 'db' | 'clock'>,
  actor: UserCredential,
  memberId: number,
  transact: Transact<void> = transactOn(parts.db),
): Promise<void> {
  await transact(async (tx) => {
    const { organizationId } = actor
    const member = await lockMember(tx, actor, memberId)
    await refuseLastOwner(tx, organizationId, member)
    const now = parts.clock.now()
    await tx
      .updateTable('users')
      .set({ removed_at: now })
      .where('organization_id', '=', organizationId)
      .where('id', '=', memberId)
      .execute()
    // Nobody else sees them; those that the member shared stay.
    await tx
      .deleteFrom('saved_views')
      .where('organization_id', '=', organizationId)
      .where('created_by', '=', memberId)
      .where('is_shared', '=', false)
      .execute()
    await endSessions(tx, now, { organizationId, id: memberId })
  })
}
