import { type Transact, transactOn } from '../../database/index.ts'
import { endSessions } from '../members/end-sessions.ts'
import type { UserCredential } from '../shared/credential.ts'
import type { IdentityParts } from '../shared/parts.ts'

/** Ends all sessions of the user except the current one. Returns how many. */
export async function endOtherSessions(
  parts: Pick<IdentityParts, 'db' | 'clock'>,
  { organizationId, userId, sessionId }: UserCredential,
  transact: Transact<number> = transactOn(parts.db),
): Promise<number> {
  return await transact((tx) => endSessions(tx, parts.clock.now(), { organizationId, id: userId }, sessionId))
}
