import type { Selectable } from 'kysely'
import type { Schema, Tx } from '../../../database/index.ts'
import { Failure } from '../../../kernel/index.ts'

/** A domain that an organization claims. It counts from the moment at which the organization proves it. */
export interface SsoDomain {
  readonly id: number
  readonly domain: string
  /** The TXT record that proves it. */
  readonly recordName: string
  readonly recordValue: string
  /** `null`: not proved yet. */
  readonly verifiedAt: Date | null
  readonly providerId: number | null
  readonly createdAt: Date
}

export function domainFrom(row: Selectable<Schema['sso_domains']>): SsoDomain {
  return {
    id: row.id,
    domain: row.domain,
    recordName: `_weir-challenge.${row.domain}`,
    recordValue: `weir-domain-verification=${row.challenge}`,
    verifiedAt: row.verified_at,
    providerId: row.provider_id,
    createdAt: row.created_at,
  }
}

/**
 * Records that the organization proved a domain that it has claimed. The first to prove a domain keeps it until it
 * releases it. Errors: CONFLICT while another organization holds the domain, NOT_FOUND if it was not claimed.
 */
export async function recordProvedDomain(
  tx: Tx,
  at: Date,
  { organizationId, domain }: { readonly organizationId: number; readonly domain: string },
): Promise<SsoDomain> {
  // Two organizations that prove one domain at once take turns; the unique index would otherwise break one of them.
  await tx.selectFrom('sso_domains').select('id').where('domain', '=', domain).orderBy('id').forUpdate().execute()
  const holder = await tx
    .selectFrom('sso_domains')
    .select('organization_id')
    .where('domain', '=', domain)
    .where('verified_at', 'is not', null)
    .executeTakeFirst()
  if (holder !== undefined && holder.organization_id !== organizationId) {
    throw new Failure('CONFLICT', {
      message: 'Another organization has proved this domain.',
      details: { reason: 'domain_taken' },
    })
  }
  const row = await tx
    .updateTable('sso_domains')
    .set(({ fn, val }) => ({ verified_at: fn.coalesce('verified_at', val(at)) }))
    .where('organization_id', '=', organizationId)
    .where('domain', '=', domain)
    .returningAll()
    .executeTakeFirst()
  if (row === undefined) throw new Failure('NOT_FOUND', { message: 'The domain does not exist.' })
  return domainFrom(row)
}
