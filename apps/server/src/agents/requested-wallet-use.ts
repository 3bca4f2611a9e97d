import { sql } from 'kysely'
import type { QuotaUse } from '../identity/index.ts'
import { walletUse } from '../wallets/index.ts'

/** Wallets, and those that an agent was asked for and has not reported. */
export const requestedWalletUse: QuotaUse = (organizationId, now) => sql<number>`
  select (${walletUse(organizationId, now)}) + count(*) from agent_actions
    where organization_id = ${organizationId} and type = 'CREATE_WALLET' and status = 'PENDING'`
