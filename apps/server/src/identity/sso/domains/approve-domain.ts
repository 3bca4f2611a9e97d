import { type Database, inTransaction } from '../../../database/index.ts'
import { type Clock, Failure, type RandomSource } from '../../../kernel/index.ts'
import { appendAuditEntry } from '../../audit/append-audit-entry.ts'
import { claimDomain } from './claim-domain.ts'
import { recordProvedDomain, type SsoDomain } from './domain.ts'

/**
 * Records that an organization owns a domain, on the word of the operator of the host: for domains without public name
 * servers. The audit log gets an entry by the service. NOT_FOUND for an unknown or deleted organization,
 * VALIDATION_ERROR unless it is a domain name, CONFLICT while another organization holds it.
 */
export async function approveDomain(
  parts: { readonly db: Database; readonly clock: Clock; readonly random: RandomSource },
  { organizationId, name }: { readonly organizationId: number; readonly name: string },
): Promise<SsoDomain> {
  return await inTransaction(parts.db, async (tx) => {
    const organization = await tx
      .selectFrom('organizations')
      .select('id')
      .where('id', '=', organizationId)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (organization === undefined) throw new Failure('NOT_FOUND', { message: 'No organization has this id.' })
    const at = parts.clock.now()
    const { domain } = await claimDomain(parts, { organizationId }, name, (work) => work(tx))
    const held = await recordProvedDomain(tx, at, { organizationId, domain })
    await appendAuditEntry(tx, {
      organizationId,
      actor: { type: 'system', id: null },
      action: 'approveSsoDomain',
      objectType: 'sso_domain',
      objectId: held.id,
      from: null,
      at,
      details: { domain },
    })
    return held
  })
}
