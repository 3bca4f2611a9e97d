import { sql } from 'kysely'

/**
 * Whether a transaction `t`, in SQL over a row of that name, is of a quarantined wallet: it is settled once the wallet has
 * caught up, and nothing else decides it before.
 */
export const ofQuarantinedWallet = sql<boolean>`exists (
  select from quarantined_wallets s join operations o on o.organization_id = s.organization_id and o.wallet_id = s.wallet_id
  where o.organization_id = t.organization_id and o.id = t.operation_id)`
