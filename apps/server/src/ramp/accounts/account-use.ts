import { sql } from 'kysely'
import type { QuotaUse } from '../../identity/index.ts'

/** Accounts of both directions that are not archived. */
export const rampAccountUse: QuotaUse = (organizationId) => sql<number>`
  select count(*) from ramp_accounts where organization_id = ${organizationId} and status <> 'archived'`
