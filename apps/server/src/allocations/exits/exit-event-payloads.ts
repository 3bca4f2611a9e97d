import { sql } from 'kysely'
import {
  buildEventPayloads,
  type EventContextRow,
  type EventPayload,
  type OutboxEvent,
  type Tx,
} from '../../database/index.ts'
import { formatDecimal } from '../../kernel/index.ts'
import type { ExitEventData } from './write-exits.ts'

interface ExitEventRow extends EventContextRow {
  readonly op_wallet_id: number | null
  readonly blockchain: string
  readonly token: string
  readonly token_decimals: number
  readonly strategy_name: string
}

/** The public `data` of exit events, by event id: the outbox data, with names and decimals. */
export async function exitEventPayloads(
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
  const { rows } = await sql<ExitEventRow>`
    select e.id as event_id, ow.id as op_wallet_id, w.wallet_profile_id, s.blockchain, s.token, s.token_decimals,
      s.name as strategy_name
    from jsonb_to_recordset(${JSON.stringify(references)}::jsonb)
      as e(id bigint, "organizationId" bigint, "walletId" bigint, "strategyId" bigint)
    join wallets w on w.organization_id = e."organizationId" and w.id = e."walletId"
    join strategies s on s.id = e."strategyId"
    left join operational_wallets ow on ow.organization_id = w.organization_id and ow.wallet_id = w.id
      and ow.token_address = s.token_address
  `.execute(tx)
  return buildEventPayloads(events, rows, (stored, row) => publicData(stored as ExitEventData, row))
}

function publicData(stored: ExitEventData, row: ExitEventRow): Record<string, unknown> {
  const decimal = (amount: string) => formatDecimal(BigInt(amount), row.token_decimals)
  return {
    exitId: stored.exitId,
    opWalletId: row.op_wallet_id,
    managedWalletId: row.op_wallet_id,
    walletId: stored.walletId,
    strategyId: stored.strategyId,
    strategy: row.strategy_name,
    blockchain: row.blockchain,
    token: row.token,
    pending: decimal(stored.pending),
    claimable: decimal(stored.claimable),
    claimed: decimal(stored.claimed),
    claimableAt: stored.claimableAt,
  }
}
