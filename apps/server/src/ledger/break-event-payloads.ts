import { sql } from 'kysely'
import {
  buildEventPayloads,
  type EventContextRow,
  type EventPayload,
  type OutboxEvent,
  type Tx,
} from '../database/index.ts'

interface BreakEventRow extends EventContextRow {
  readonly address: string
  readonly blockchain: string
}

/** The public `data` of break events, by event id: the outbox data, with address and chain of the wallet. */
export async function breakEventPayloads(
  tx: Tx,
  events: readonly OutboxEvent[],
): Promise<ReadonlyMap<number, EventPayload>> {
  if (events.length === 0) return new Map()
  const references = events.map(({ id, organizationId, data }) => ({ id, organizationId, walletId: data.walletId }))
  const { rows } = await sql<BreakEventRow>`
    select e.id as event_id, w.wallet_profile_id, w.address, w.blockchain
    from jsonb_to_recordset(${JSON.stringify(references)}::jsonb)
      as e(id bigint, "organizationId" bigint, "walletId" bigint)
    join wallets w on w.organization_id = e."organizationId" and w.id = e."walletId"
  `.execute(tx)
  return buildEventPayloads(events, rows, ({ breakId, walletId, tokenAddress, amountBaseUnits }, row) => ({
    breakId,
    walletId,
    walletAddress: row.address,
    blockchain: row.blockchain,
    tokenAddress,
    amountBaseUnits,
  }))
}
