import { sql } from 'kysely'
import {
  buildEventPayloads,
  type EventContextRow,
  type EventPayload,
  type OutboxEvent,
  type Tx,
} from '../../database/index.ts'
import { formatDecimal } from '../../kernel/index.ts'

/** The outbox data of an opened or closed allocation; amounts in base units. */
export interface AllocationEventData extends Record<string, unknown> {
  readonly allocationId: number
  readonly walletId: number
  readonly strategyId: number
  readonly principal: string
  readonly realizedYield: string
}

interface AllocationEventRow extends EventContextRow {
  readonly op_wallet_id: number | null
  readonly blockchain: string
  readonly token: string
  readonly token_decimals: number
  readonly protocol: string
  readonly venue_name: string
}

/** The public `data` of allocation events, by event id: the outbox data, with names and decimals. */
export async function allocationEventPayloads(
  tx: Tx,
  events: readonly OutboxEvent[],
): Promise<ReadonlyMap<number, EventPayload>> {
  if (events.length === 0) return new Map()
  const references = events.map(({ id, organizationId, data }) => ({
    id,
    organizationId,
    walletId: data.walletId,
    strategyId: data.strategyId,
  }))
  const { rows } = await sql<AllocationEventRow>`
    select e.id as event_id, ow.id as op_wallet_id, w.wallet_profile_id, s.blockchain, s.token, s.token_decimals,
      s.protocol, v.name as venue_name
    from jsonb_to_recordset(${JSON.stringify(references)}::jsonb)
      as e(id bigint, "organizationId" bigint, "walletId" bigint, "strategyId" bigint)
    join wallets w on w.organization_id = e."organizationId" and w.id = e."walletId"
    join strategies s on s.id = e."strategyId"
    join venues v on v.id = s.venue_id
    left join operational_wallets ow on ow.organization_id = w.organization_id and ow.wallet_id = w.id
      and ow.token_address = s.token_address
  `.execute(tx)
  return buildEventPayloads(events, rows, (stored, row) => publicData(stored as AllocationEventData, row))
}

function publicData(stored: AllocationEventData, row: AllocationEventRow): Record<string, unknown> {
  const decimal = (amount: string) => formatDecimal(BigInt(amount), row.token_decimals)
  return {
    allocationId: stored.allocationId,
    opWalletId: row.op_wallet_id,
    managedWalletId: row.op_wallet_id,
    walletId: stored.walletId,
    strategyId: stored.strategyId,
    blockchain: row.blockchain,
    token: row.token,
    protocol: row.protocol,
    venue: row.venue_name,
    principal: decimal(stored.principal),
    realizedYield: decimal(stored.realizedYield),
  }
}
