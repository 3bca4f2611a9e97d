import { sql } from 'kysely'
import { heldPlaces, type QuotaUse } from '../../identity/index.ts'

/** Accounts of both directions that are not archived, and those that are being opened. */
export const rampAccountUse: QuotaUse = (organizationId, now) => sql<number>`
  select ${heldPlaces('rampAccounts', organizationId, now)} + count(*) from ramp_accounts where organization_id = ${organizationId} and status <> 'archived'`
