import { sql } from 'kysely'
import type { QuotaUse } from './require-quota.ts'

/** Keys that are neither deleted nor expired, and service accounts that are not deleted. */
export const apiKeyUse: QuotaUse = (organizationId, now) => sql<number>`
  select (select count(*) from api_keys where organization_id = ${organizationId} and revoked_at is null
      and (expires_at is null or expires_at > ${now}))
    + (select count(*) from service_accounts where organization_id = ${organizationId} and deleted_at is null)`

export const memberUse: QuotaUse = (organizationId) => sql<number>`
  select count(*) from users where organization_id = ${organizationId} and removed_at is null`

export const savedViewUse: QuotaUse = (organizationId) => sql<number>`
  select count(*) from saved_views where organization_id = ${organizationId}`

export const profileUse: QuotaUse = (organizationId) => sql<number>`
  select count(*) from wallet_profiles where organization_id = ${organizationId} and deleted_at is null`
