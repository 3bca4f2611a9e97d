import type { Tx } from '../../database/index.ts'

/** Ends a member's sessions, except `except`. */
export async function endSessions(
  tx: Tx,
  at: Date,
  member: { readonly organizationId: number; readonly id: number },
  except?: number,
): Promise<void> {
  let sessions = tx
    .updateTable('sessions')
    .set({ revoked_at: at })
    .where('organization_id', '=', member.organizationId)
    .where('user_id', '=', member.id)
    .where('revoked_at', 'is', null)
  if (except !== undefined) sessions = sessions.where('id', '!=', except)
  await sessions.execute()
}
