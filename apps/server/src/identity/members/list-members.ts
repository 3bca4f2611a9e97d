import type { Role } from '../../database/index.ts'
import { ALL_ITEMS, type Page, type PageRequest, readPage } from '../shared/page.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { MEMBER_COLUMNS, type Member, memberBeginsWith, memberFrom } from './member.ts'

export interface MemberFilter {
  /** The beginning of the address, or of a word of the name, in any case. */
  readonly text?: string | undefined
  readonly role?: Role | undefined
}

/** The organization's people that match, newest first. */
export async function listMembers(
  parts: Pick<IdentityParts, 'db'>,
  organizationId: number,
  page: PageRequest = ALL_ITEMS,
  { text, role }: MemberFilter = {},
): Promise<Page<Member>> {
  let members = parts.db
    .selectFrom('users')
    .select(MEMBER_COLUMNS)
    .where('organization_id', '=', organizationId)
    .where('removed_at', 'is', null)
  if (text !== undefined) members = members.where(memberBeginsWith(text))
  if (role !== undefined) members = members.where('role', '=', role)
  return await readPage(parts.db, members, page, memberFrom)
}
