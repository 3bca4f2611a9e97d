import { type Transact, transactOn } from '../../database/index.ts'
import { APPROVAL_PAUSE_MS, addMilliseconds, Failure } from '../../kernel/index.ts'
import { notifyAccount } from '../mail/notify-account.ts'
import type { UserCredential } from '../shared/credential.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { clearFactors } from './clear-factors.ts'
import { endSessions } from './end-sessions.ts'
import { lockMember, refuseAnotherAdmin } from './member-rules.ts'

/**
 * Removes all second factors of a member who lost them, and ends their sessions; returns how many. The member approves
 * nothing for a day, as the actor may also have set their password, and is notified by mail. NOT_FOUND; FORBIDDEN for
 * oneself, for an owner's factors unless by an owner, and for another admin's unless by an owner.
 */
export async function resetMemberFactors(
  parts: Pick<IdentityParts, 'db' | 'clock' | 'secrets' | 'mail'>,
  actor: UserCredential,
  memberId: number,
  transact: Transact<number> = transactOn(parts.db),
): Promise<number> {
  return await transact(async (tx) => {
    const member = await lockMember(tx, actor, memberId)
    if (member.id === actor.userId) {
      throw new Failure('FORBIDDEN', { message: 'Remove your own second factors one by one.' })
    }
    refuseAnotherAdmin(actor, member)
    const { organizationId } = actor
    const now = parts.clock.now()
    await clearFactors(tx, { organizationId, id: memberId })
    await tx
      .updateTable('users')
      .set({ approves_after: addMilliseconds(now, APPROVAL_PAUSE_MS) })
      .where('organization_id', '=', organizationId)
      .where('id', '=', memberId)
      .execute()
    const change = { what: 'factors_removed' } as const
    await notifyAccount(tx, parts, { organizationId, email: member.email, change })
    return await endSessions(tx, now, { organizationId, id: memberId })
  })
}
