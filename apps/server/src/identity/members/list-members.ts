import { ALL_ITEMS, type Page, type PageRequest, readPage } from '../shared/page.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { MEMBER_COLUMNS, type Member, memberFrom } from './member.ts'

/** The organization's people, newest first. */
export async function listMembers(
  parts: Pick<IdentityParts, 'db'>,
  organizationId: number,
  page: PageRequest = ALL_ITEMS,
): Promise<Page<Member>> {
  const members = parts.db
    .selectFrom('users')
    .select(MEMBER_COLUMNS)
    .where('organization_id', '=', organizationId)
    .where('removed_at', 'is', null)
  return await readPage(parts.db, members, page, memberFrom)
}
