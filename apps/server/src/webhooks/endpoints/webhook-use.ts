import { sql } from 'kysely'
import type { QuotaUse } from '../../identity/index.ts'

export const webhookUse: QuotaUse = (organizationId) => sql<number>`
  select count(*) from webhooks where organization_id = ${organizationId} and deleted_at is null`
