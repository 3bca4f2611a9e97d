import { type Transact, transactOn } from '../../database/index.ts'
import type { UserCredential } from '../shared/credential.ts'
import type { IdentityParts } from '../shared/parts.ts'

/** Ends the session: its access token and its refresh tokens stop working everywhere. */
export async function logOut(
  parts: Pick<IdentityParts, 'db' | 'clock'>,
  credential: UserCredential,
  transact: Transact<void> = transactOn(parts.db),
): Promise<void> {
  await transact(async (tx) => {
    await tx
      .updateTable('sessions')
      .set({ revoked_at: parts.clock.now() })
      .where('organization_id', '=', credential.organizationId)
      .where('id', '=', credential.sessionId)
      .where('revoked_at', 'is', null)
      .execute()
  })
}
