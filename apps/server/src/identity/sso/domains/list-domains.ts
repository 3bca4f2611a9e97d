import type { SsoParts } from '../parts.ts'
import { domainFrom, type SsoDomain } from './domain.ts'

/** The domains that the organization claims, newest first. */
export async function listDomains({ db }: Pick<SsoParts, 'db'>, organizationId: number): Promise<readonly SsoDomain[]> {
  const rows = await db
    .selectFrom('sso_domains')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy('id', 'desc')
    .execute()
  return rows.map(domainFrom)
}
