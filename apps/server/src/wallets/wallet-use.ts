import { sql } from 'kysely'
import type { QuotaUse } from '../identity/index.ts'

/**
 * Wallets, and those that an agent was asked for and has not reported: each becomes a wallet without another check. The
 * wallets come from the totals that lists are maintained with, because counting a million rows would take too long.
 */
export const walletUse: QuotaUse = (organizationId) => sql<number>`
  select coalesce(sum(amount), 0) + (
    select count(*) from agent_actions
    where organization_id = ${organizationId} and type = 'CREATE_WALLET' and status = 'PENDING'
  ) from counters where organization_id = ${organizationId} and entity = 'wallets'`
