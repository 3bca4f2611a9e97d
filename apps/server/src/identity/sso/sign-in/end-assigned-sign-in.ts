import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../database/index.ts'
import { appendAuditEntry } from '../../audit/append-audit-entry.ts'
import { revokeTokens } from '../../mail/account-token.ts'
import { OWN_PASSWORD } from '../../members/assign-password.ts'
import { clearFactors } from '../../members/clear-factors.ts'
import { endSessions } from '../../members/end-sessions.ts'
import { NO_PASSWORD } from '../../members/password.ts'
import type { ProviderSignIn } from './linked-accounts.ts'

/**
 * Ends what somebody else may sign in with as a member, when the member's first account at a provider is linked:
 * password, sessions, links in emails and second factors. The person who added the member, or reset the password, could be
 * the first to use it and set another; nothing shows that the person who signs in now ever knew it. A password that the
 * member chose at registration, by an invitation or by a reset stays, and so does their own with which they proved the
 * address. Call it before the sign-in proves the address.
 */
export async function endAssignedSignIn(tx: Tx, context: ProviderSignIn, memberId: number): Promise<void> {
  const { organizationId, providerId, at, from } = context
  const ended = await tx
    .updateTable('users')
    .set({ password_hash: NO_PASSWORD, password_assigned_at: null, ...OWN_PASSWORD })
    .where('organization_id', '=', organizationId)
    .where('id', '=', memberId)
    .where('password_hash', '!=', NO_PASSWORD)
    .where(mayBeHeldByOthers())
    .executeTakeFirst()
  if (ended.numUpdatedRows === 0n) return
  const member = { organizationId, id: memberId }
  await revokeTokens(tx, member)
  await clearFactors(tx, member)
  const sessions = await endSessions(tx, at, member)
  await appendAuditEntry(tx, {
    organizationId,
    actor: { type: 'system', id: null },
    action: 'endAssignedSignIn',
    objectType: 'member',
    objectId: memberId,
    from,
    at,
    details: { provider: providerId, ended: sessions },
  })
}

/**
 * Of members who are older than `password_assigned_at`, an address that nobody proved says it: others added them with a
 * password. Only the first member of an organization registered it.
 */
function mayBeHeldByOthers(): RawBuilder<boolean> {
  return sql<boolean>`(users.password_assigned_at is not null or (users.email_verified_at is null and exists (
    select from users earlier where earlier.organization_id = users.organization_id and earlier.id < users.id)))`
}
