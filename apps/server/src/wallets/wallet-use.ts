import { sql } from 'kysely'
import type { QuotaUse } from '../identity/index.ts'

/** Wallets, from the totals that lists are maintained with: counting a million rows would take too long. */
export const walletUse: QuotaUse = (organizationId) => sql<number>`
  select coalesce(sum(amount), 0) from counters where organization_id = ${organizationId} and entity = 'wallets'`
