import { sql } from 'kysely'
import {
  buildEventPayloads,
  type EventContextRow,
  type EventPayload,
  type OutboxEvent,
  type Tx,
} from '../../database/index.ts'
import { formatDecimal } from '../../kernel/index.ts'
import type { OperationEventData } from '../lifecycle/operation-event-data.ts'

interface PayloadContext extends EventContextRow {
  readonly op_wallet_id: number | null
  readonly blockchain: string
  readonly token: string
  readonly token_decimals: number
}

/**
 * The public `data` of operation events (contract 12), by event id. What the outbox kept says how things stood then;
 * what is added here never changes: names, decimals, profile, and the operational wallet, which for an operation of v1
 * is the one of its wallet and token. The amount of a whole position is null until what really moved is known.
 */
export async function operationEventPayloads(
  tx: Tx,
  events: readonly OutboxEvent[],
): Promise<ReadonlyMap<number, EventPayload>> {
  if (events.length === 0) return new Map()
  const named = events.map(({ id, organizationId, data }) => ({ id, organizationId, operationId: data.operationId }))
  const { rows } = await sql<PayloadContext>`
    select e.id as event_id, coalesce(o.op_wallet_id, ow.id) as op_wallet_id, w.wallet_profile_id, s.blockchain, s.token,
      s.token_decimals
    from jsonb_to_recordset(${JSON.stringify(named)}::jsonb)
      as e(id bigint, "organizationId" bigint, "operationId" bigint)
    join operations o on o.organization_id = e."organizationId" and o.id = e."operationId"
    join wallets w on w.organization_id = o.organization_id and w.id = o.wallet_id
    join strategies s on s.id = o.strategy_id
    left join operational_wallets ow on ow.organization_id = o.organization_id and ow.wallet_id = o.wallet_id
      and ow.token_address = s.token_address
  `.execute(tx)
  return buildEventPayloads(events, rows, (kept, facts) => toPayload(kept as OperationEventData, facts))
}

function toPayload(kept: OperationEventData, facts: PayloadContext): Record<string, unknown> {
  return {
    operationId: kept.operationId,
    type: kept.type,
    status: kept.status,
    opWalletId: facts.op_wallet_id,
    managedWalletId: facts.op_wallet_id,
    walletId: kept.walletId,
    blockchain: facts.blockchain,
    token: facts.token,
    amount: kept.amount === null ? null : formatDecimal(BigInt(kept.amount), facts.token_decimals),
    ...(kept.txHash && { txHash: kept.txHash }),
    ...(kept.failureReason && { failureReason: kept.failureReason }),
    ...(kept.failureCode && { failureCode: kept.failureCode }),
  }
}
