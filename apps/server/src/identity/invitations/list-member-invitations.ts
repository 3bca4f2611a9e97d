import { ALL_ITEMS, type Page, type PageRequest, readPage } from '../shared/page.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { INVITATION_COLUMNS, invitationFrom, type MemberInvitation } from './member-invitation.ts'

/** The open invitations of an organization, newest first. */
export async function listMemberInvitations(
  parts: Pick<IdentityParts, 'db' | 'clock'>,
  organizationId: number,
  page: PageRequest = ALL_ITEMS,
): Promise<Page<MemberInvitation>> {
  const open = parts.db
    .selectFrom('member_invitations')
    .select(INVITATION_COLUMNS)
    .where('organization_id', '=', organizationId)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', parts.clock.now())
  return await readPage(parts.db, open, page, invitationFrom)
}
