import { type Transact, transactOn } from '../../database/index.ts'
import { Failure } from '../../kernel/index.ts'
import type { UserCredential } from '../shared/credential.ts'
import type { IdentityParts } from '../shared/parts.ts'

/** Ends one of the user's sessions, including the current one. NOT_FOUND for an ended session and for one of anyone else. */
export async function endSession(
  parts: Pick<IdentityParts, 'db' | 'clock'>,
  { organizationId, userId }: UserCredential,
  sessionId: number,
  transact: Transact<void> = transactOn(parts.db),
): Promise<void> {
  await transact(async (tx) => {
    const ended = await tx
      .updateTable('sessions')
      .set({ revoked_at: parts.clock.now() })
      .where('organization_id', '=', organizationId)
      .where('id', '=', sessionId)
      .where('user_id', '=', userId)
      .where('revoked_at', 'is', null)
      .executeTakeFirst()
    if (ended.numUpdatedRows === 0n) throw new Failure('NOT_FOUND', { message: 'The session does not exist.' })
  })
}
