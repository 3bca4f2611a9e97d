import { type Transact, type Tx, transactOn } from '../../../database/index.ts'
import { Failure, randomBase62, SSO_DOMAINS_MAX, validationError } from '../../../kernel/index.ts'
import type { UserCredential } from '../../shared/credential.ts'
import { normalizeDomain } from '../../shared/email-domain.ts'
import { lockOrganization } from '../../shared/lock-organization.ts'
import type { SsoParts } from '../parts.ts'
import { domainFrom, type SsoDomain } from './domain.ts'

/** 36 base62 characters are 214 bits: nobody else publishes this text by chance. */
const CHALLENGE_LENGTH = 36

/**
 * Claims a domain, which has no effect before it is proved; several organizations may claim one. Claiming it again
 * returns the same record. VALIDATION_ERROR unless it is a domain name, CONFLICT if the organization has too many.
 */
export async function claimDomain(
  parts: Pick<SsoParts, 'db' | 'clock' | 'random'>,
  { organizationId }: Pick<UserCredential, 'organizationId'>,
  name: string,
  transact: Transact<SsoDomain> = transactOn(parts.db),
): Promise<SsoDomain> {
  const domain = normalizeDomain(name)
  if (domain === undefined) throw validationError('domain', 'must be a domain name such as acme.example')
  return await transact(async (tx) => {
    await lockOrganization(tx, organizationId)
    return (await claimedDomain(tx, organizationId, domain)) ?? (await insertDomain(tx, parts, organizationId, domain))
  })
}

async function claimedDomain(tx: Tx, organizationId: number, domain: string): Promise<SsoDomain | undefined> {
  const row = await tx
    .selectFrom('sso_domains')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('domain', '=', domain)
    .executeTakeFirst()
  return row && domainFrom(row)
}

async function insertDomain(
  tx: Tx,
  { clock, random }: Pick<SsoParts, 'clock' | 'random'>,
  organizationId: number,
  domain: string,
): Promise<SsoDomain> {
  const { count } = await tx
    .selectFrom('sso_domains')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow()
  if (count >= SSO_DOMAINS_MAX)
    throw new Failure('CONFLICT', { message: `An organization can claim at most ${SSO_DOMAINS_MAX} domains.` })
  const row = await tx
    .insertInto('sso_domains')
    .values({
      organization_id: organizationId,
      domain,
      challenge: randomBase62(random, CHALLENGE_LENGTH),
      created_at: clock.now(),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return domainFrom(row)
}
