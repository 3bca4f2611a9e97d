import { MEMBER_COLUMNS, type Member, memberOf } from './insert-user.ts'
import { type Page, type PageRequest, readPage, WHOLE_LIST } from './page.ts'
import type { IdentityParts } from './parts.ts'

/** The organization's people, newest first. */
export async function listMembers(
  parts: Pick<IdentityParts, 'db'>,
  organizationId: number,
  page: PageRequest = WHOLE_LIST,
): Promise<Page<Member>> {
  const members = parts.db
    .selectFrom('users')
    .select(MEMBER_COLUMNS)
    .where('organization_id', '=', organizationId)
    .where('removed_at', 'is', null)
  return await readPage(parts.db, members, page, memberOf)
}
