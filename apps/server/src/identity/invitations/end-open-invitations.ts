import type { Tx } from '../../database/index.ts'
import { appendAuditEntry } from '../audit/append-audit-entry.ts'

/**
 * Ends every open invitation of an organization, with an entry of the audit log for each: its rules would not let them be
 * sent again. The organization must be locked.
 */
export async function endOpenInvitations(tx: Tx, at: Date, organizationId: number): Promise<void> {
  const ended = await tx
    .updateTable('member_invitations')
    .set({ revoked_at: at })
    .where('organization_id', '=', organizationId)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', at)
    .returning('id')
    .execute()
  for (const { id } of ended.toSorted((a, b) => a.id - b.id))
    await appendAuditEntry(tx, {
      organizationId,
      actor: { type: 'system', id: null },
      action: 'endMemberInvitation',
      objectType: 'member_invitation',
      objectId: id,
      from: null,
      at,
    })
}
