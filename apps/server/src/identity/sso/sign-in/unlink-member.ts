import { type Transact, transactOn } from '../../../database/index.ts'
import { notifyAccount } from '../../mail/notify-account.ts'
import { endSessions } from '../../members/end-sessions.ts'
import { lockMember, refuseAnotherAdmin } from '../../members/member-rules.ts'
import type { UserCredential } from '../../shared/credential.ts'
import type { SsoParts } from '../parts.ts'

/**
 * Forgets the accounts at identity providers that a member signs in with, and ends the member's sessions, except the one
 * that asks: for a person whose account was created again. The next sign-in links the account that has the member's
 * verified address then, which another person may have by now: so the member is notified by mail. Returns how many
 * sessions ended. NOT_FOUND, FORBIDDEN when an admin unlinks an owner or another admin.
 */
export async function unlinkMember(
  parts: Pick<SsoParts, 'db' | 'clock' | 'secrets' | 'mail'>,
  actor: UserCredential,
  memberId: number,
  transact: Transact<number> = transactOn(parts.db),
): Promise<number> {
  return await transact(async (tx) => {
    const { organizationId } = actor
    const member = await lockMember(tx, actor, memberId)
    refuseAnotherAdmin(actor, member)
    const { id, email } = member
    const unlinked = await tx
      .deleteFrom('sso_identities')
      .where('organization_id', '=', organizationId)
      .where('user_id', '=', id)
      .executeTakeFirst()
    if (unlinked.numDeletedRows > 0n)
      await notifyAccount(tx, parts, { organizationId, email, change: { what: 'accounts_unlinked' } })
    return await endSessions(tx, parts.clock.now(), { organizationId, id }, actor.sessionId)
  })
}
