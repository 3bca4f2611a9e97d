import { type Transact, transactOn } from '../../database/index.ts'
import { endSessions } from '../members/end-sessions.ts'
import { lockMember } from '../members/member-rules.ts'
import type { UserCredential } from '../shared/credential.ts'
import type { SsoParts } from './parts.ts'

/**
 * Forgets the accounts at identity providers that a member signs in with, and ends the member's sessions, except the one
 * that asks: for a person whose account was created again. The next sign-in links the account that has the member's
 * verified address then. Returns how many sessions ended. NOT_FOUND, FORBIDDEN when an admin unlinks an owner.
 */
export async function unlinkMember(
  parts: Pick<SsoParts, 'db' | 'clock'>,
  actor: UserCredential,
  memberId: number,
  transact: Transact<number> = transactOn(parts.db),
): Promise<number> {
  return await transact(async (tx) => {
    const { organizationId } = actor
    const { id } = await lockMember(tx, actor, memberId)
    await tx
      .deleteFrom('sso_identities')
      .where('organization_id', '=', organizationId)
      .where('user_id', '=', id)
      .execute()
    return await endSessions(tx, parts.clock.now(), { organizationId, id }, actor.sessionId)
  })
}
