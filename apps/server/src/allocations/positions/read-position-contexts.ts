import { sql } from 'kysely'
import type { EventContextRow, OutboxEvent, Tx } from '../../database/index.ts'

/** The names and decimals that an event of a wallet and a strategy is shown with. */
export interface PositionContextRow extends EventContextRow {
  readonly op_wallet_id: number | null
  readonly blockchain: string
  readonly token: string
  readonly token_decimals: number
  readonly strategy_name: string
  readonly protocol: string
  readonly venue_name: string
}

/** For each event, its wallet and strategy, which `walletId` and `strategyId` of its data name. */
export async function readPositionContexts(
  tx: Tx,
  events: readonly OutboxEvent[],
): Promise<readonly PositionContextRow[]> {
  if (events.length === 0) return []
  const references = events.map(({ id, organizationId, data }) => ({
    id,
    organizationId,
    walletId: data.walletId,
    strategyId: data.strategyId,
  }))
  const { rows } = await sql<PositionContextRow>`
    select e.id as event_id, ow.id as op_wallet_id, w.wallet_profile_id, s.blockchain, s.token, s.token_decimals,
      s.name as strategy_name, s.protocol, v.name as venue_name
    from jsonb_to_recordset(${JSON.stringify(references)}::jsonb)
      as e(id bigint, "organizationId" bigint, "walletId" bigint, "strategyId" bigint)
    join wallets w on w.organization_id = e."organizationId" and w.id = e."walletId"
    join strategies s on s.id = e."strategyId"
    join venues v on v.id = s.venue_id
    left join operational_wallets ow on ow.organization_id = w.organization_id and ow.wallet_id = w.id
      and ow.token_address = s.token_address
  `.execute(tx)
  return rows
}
