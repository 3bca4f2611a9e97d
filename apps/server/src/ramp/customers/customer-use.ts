import { sql } from 'kysely'
import { heldPlaces, type QuotaUse } from '../../identity/index.ts'
import { ARCHIVED_VERIFICATION_COUNTS_MS, addMilliseconds } from '../../kernel/index.ts'

/** Recipients, archived ones too, because their records stay, and those that are being created. */
export const recipientUse: QuotaUse = (organizationId, now) => sql<number>`
  select ${heldPlaces('recipients', organizationId, now)} + count(*) from ramp_customers
  where organization_id = ${organizationId} and kind = 'recipient'`

/**
 * Verifications that were started and not decided, and those that are being started. That of an archived recipient
 * counts for a day after its start, so archiving does not make room for more calls to the partner at once.
 */
export const pendingVerificationUse: QuotaUse = (organizationId, now) => sql<number>`
  select ${heldPlaces('pendingVerifications', organizationId, now)} + count(*) from ramp_customers
  where organization_id = ${organizationId} and kyb_status in ('pending', 'submitted')
    and (archived_at is null or created_at > ${addMilliseconds(now, -ARCHIVED_VERIFICATION_COUNTS_MS)})`
