import type { IdentityParts } from '../shared/parts.ts'
import { MEMBER_COLUMNS, type Member, memberBeginsWith, memberFrom } from './member.ts'

/**
 * Members whose address begins with a text, or a word of whose name does, in any case; at most `limit`, by address. An
 * organization has few enough to read all of them.
 */
export async function searchMembers(
  { db }: Pick<IdentityParts, 'db'>,
  organizationId: number,
  text: string,
  limit: number,
): Promise<Member[]> {
  const rows = await db
    .selectFrom('users')
    .select(MEMBER_COLUMNS)
    .where('organization_id', '=', organizationId)
    .where('removed_at', 'is', null)
    .where(memberBeginsWith(text))
    .orderBy('email')
    .limit(limit)
    .execute()
  return rows.map(memberFrom)
}
