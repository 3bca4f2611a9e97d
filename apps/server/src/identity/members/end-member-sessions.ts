import { type Transact, transactOn } from '../../database/index.ts'
import type { UserCredential } from '../shared/credential.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { endSessions } from './end-sessions.ts'
import { lockMember } from './member-rules.ts'

/**
 * Ends all sessions of a member, except the one that asks. Returns how many. NOT_FOUND, FORBIDDEN when an admin ends
 * those of an owner.
 */
export async function endMemberSessions(
  parts: Pick<IdentityParts, 'db' | 'clock'>,
  actor: UserCredential,
  memberId: number,
  transact: Transact<number> = transactOn(parts.db),
): Promise<number> {
  return await transact(async (tx) => {
    const { id } = await lockMember(tx, actor, memberId)
    return await endSessions(tx, parts.clock.now(), { organizationId: actor.organizationId, id }, actor.sessionId)
  })
}
