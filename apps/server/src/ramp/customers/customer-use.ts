import { sql } from 'kysely'
import type { QuotaUse } from '../../identity/index.ts'

/** Recipients, archived ones too: their records stay. */
export const recipientUse: QuotaUse = (organizationId) => sql<number>`
  select count(*) from ramp_customers where organization_id = ${organizationId} and kind = 'recipient'`

/** Verifications that were started and not decided. */
export const pendingVerificationUse: QuotaUse = (organizationId) => sql<number>`
  select count(*) from ramp_customers where organization_id = ${organizationId}
    and kyb_status in ('pending', 'submitted')`
