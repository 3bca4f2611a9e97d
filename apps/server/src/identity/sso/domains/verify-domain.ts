import { type Transact, transactOn } from '../../../database/index.ts'
import { Failure } from '../../../kernel/index.ts'
import type { UserCredential } from '../../shared/credential.ts'
import type { SsoParts } from '../parts.ts'
import { domainFrom, recordProvedDomain, type SsoDomain } from './domain.ts'

/**
 * Reads the TXT record of a claimed domain and, if it is there, records that the organization owns the domain.
 * NOT_FOUND; CONFLICT with `details.reason`: `record_not_found`, `dns_unavailable`, `domain_taken`.
 */
export async function verifyDomain(
  parts: Pick<SsoParts, 'db' | 'clock' | 'sso'>,
  { organizationId }: Pick<UserCredential, 'organizationId'>,
  domainId: number,
  transact: Transact<SsoDomain> = transactOn(parts.db),
): Promise<SsoDomain> {
  const claimed = await parts.db
    .selectFrom('sso_domains')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', domainId)
    .executeTakeFirst()
  if (claimed === undefined) throw new Failure('NOT_FOUND', { message: 'The domain does not exist.' })
  const { recordName, recordValue, domain } = domainFrom(claimed)
  const records = await parts.sso.resolveTxt(recordName).catch((cause: unknown) => {
    const details = { reason: 'dns_unavailable' }
    throw new Failure('CONFLICT', { message: 'The name servers of the domain do not respond.', details, cause })
  })
  if (!records.includes(recordValue)) {
    throw new Failure('CONFLICT', {
      message: `The TXT record ${recordName} does not contain the expected text.`,
      details: { reason: 'record_not_found', recordName, recordValue },
    })
  }
  return await transact((tx) => recordProvedDomain(tx, parts.clock.now(), { organizationId, domain }))
}
