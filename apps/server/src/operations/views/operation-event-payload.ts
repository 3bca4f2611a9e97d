import { sql } from 'kysely'
import {
  buildEventPayloads,
  type EventContextRow,
  type EventPayload,
  type OutboxEvent,
  type Tx,
} from '../../database/index.ts'
import { formatDecimal } from '../../kernel/index.ts'
import type { OperationEventData } from '../lifecycle/records/operation-event-data.ts'
import { CLIENT_STATUS } from '../lifecycle/states/client-status.ts'

interface PayloadContext extends EventContextRow {
  readonly op_wallet_id: number | null
  readonly blockchain: string
  readonly token: string
  readonly token_address: string
  readonly token_decimals: number
}

/**
 * The public `data` of operation events (contract 12), by event id. The outbox stores what was true when the event was
 * emitted. This adds what never changes: names, decimals, profile, and the operational wallet, which for a v1 operation
 * is the one for its wallet and token. `v1` says the same as v1 does, with amounts in base units. The amount of a whole position is its value at planning until the settled amount
 * is known.
 */
export async function operationEventPayloads(
  tx: Tx,
  events: readonly OutboxEvent[],
): Promise<ReadonlyMap<number, EventPayload>> {
  if (events.length === 0) return new Map()
  const keys = events.map(({ id, organizationId, data }) => ({ id, organizationId, operationId: data.operationId }))
  const { rows } = await sql<PayloadContext>`
    select e.id as event_id, coalesce(o.op_wallet_id, ow.id) as op_wallet_id, w.wallet_profile_id, s.blockchain, s.token,
      s.token_address, s.token_decimals
    from jsonb_to_recordset(${JSON.stringify(keys)}::jsonb)
      as e(id bigint, "organizationId" bigint, "operationId" bigint)
    join operations o on o.organization_id = e."organizationId" and o.id = e."operationId"
    join wallets w on w.organization_id = o.organization_id and w.id = o.wallet_id
    join strategies s on s.id = o.strategy_id
    left join operational_wallets ow on ow.organization_id = o.organization_id and ow.wallet_id = o.wallet_id
      and ow.token_address = s.token_address
  `.execute(tx)
  return buildEventPayloads(events, rows, (data, context) => toPayload(data as OperationEventData, context))
}

function toPayload(data: OperationEventData, context: PayloadContext): Record<string, unknown> {
  return {
    operationId: data.operationId,
    type: data.type,
    status: data.status,
    opWalletId: context.op_wallet_id,
    managedWalletId: context.op_wallet_id,
    walletId: data.walletId,
    blockchain: context.blockchain,
    token: context.token,
    tokenAddress: context.token_address,
    strategyId: data.strategyId,
    amount: data.amount === null ? null : formatDecimal(BigInt(data.amount), context.token_decimals),
    ...(data.revokesAllowance && {
      revokesAllowance: formatDecimal(BigInt(data.revokesAllowance), context.token_decimals),
    }),
    ...(data.txHash && { txHash: data.txHash }),
    ...(data.failureReason && { failureReason: data.failureReason }),
    ...(data.failureCode && { failureCode: data.failureCode }),
    v1: {
      type: data.type === 'SUPPLY' ? 'supply' : 'unwind',
      status: CLIENT_STATUS[data.status],
      amount: data.amount,
      ...(data.revokesAllowance && { revokesAllowance: data.revokesAllowance }),
    },
  }
}
