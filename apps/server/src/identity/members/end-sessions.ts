import type { Tx } from '../../database/index.ts'

/**
 * Ends a member's sessions, except `except`, and what becomes one: single sign-ons that are not exchanged yet, and logins
 * that wait for a second factor. Returns how many sessions.
 */
export async function endSessions(
  tx: Tx,
  at: Date,
  member: { readonly organizationId: number; readonly id: number },
  except?: number,
): Promise<number> {
  // In the order in which a sign-in passes through them: one that is under way commits before the next statement reads.
  await tx
    .updateTable('sso_sign_ins')
    .set({ code_hash: null })
    .where('organization_id', '=', member.organizationId)
    .where('user_id', '=', member.id)
    .where('code_hash', 'is not', null)
    .where('exchanged_at', 'is', null)
    .execute()
  await tx
    .deleteFrom('factor_challenges')
    .where('organization_id', '=', member.organizationId)
    .where('user_id', '=', member.id)
    .where('purpose', 'in', ['login', 'sso_login'])
    .execute()
  let sessions = tx
    .updateTable('sessions')
    .set({ revoked_at: at })
    .where('organization_id', '=', member.organizationId)
    .where('user_id', '=', member.id)
    .where('revoked_at', 'is', null)
  if (except !== undefined) sessions = sessions.where('id', '!=', except)
  return Number((await sessions.executeTakeFirst()).numUpdatedRows)
}
