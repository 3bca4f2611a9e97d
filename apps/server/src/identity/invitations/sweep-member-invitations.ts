import { addMilliseconds, ENDED_INVITATIONS_RETENTION_MS } from '../../kernel/index.ts'
import type { IdentityParts } from '../shared/parts.ts'

/** Removes invitations a month after they expired: they name addresses of people who may never have joined. */
export async function sweepMemberInvitations(parts: Pick<IdentityParts, 'db' | 'clock'>): Promise<void> {
  const before = addMilliseconds(parts.clock.now(), -ENDED_INVITATIONS_RETENTION_MS)
  await parts.db.deleteFrom('member_invitations').where('expires_at', '<=', before).execute()
}
