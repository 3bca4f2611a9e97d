import { buildEventPayloads, type EventPayload, type OutboxEvent, type Tx } from '../../database/index.ts'
import { formatDecimal } from '../../kernel/index.ts'
import { type PositionContextRow, readPositionContexts } from './read-position-contexts.ts'

/** The outbox data of an allocation that opened, closed, or lost something; amounts in base units. */
export interface AllocationEventData extends Record<string, unknown> {
  readonly allocationId: number
  readonly walletId: number
  readonly strategyId: number
  readonly principal: string
  readonly realizedYield: string
  /** Losses and fees only: how much. */
  readonly amount?: string
}

/** The public `data` of allocation events, by event id: the outbox data, with names and decimals. */
export async function allocationEventPayloads(
  tx: Tx,
  events: readonly OutboxEvent[],
): Promise<ReadonlyMap<number, EventPayload>> {
  const rows = await readPositionContexts(tx, events)
  return buildEventPayloads(events, rows, (stored, row) => publicData(stored as AllocationEventData, row))
}

function publicData(stored: AllocationEventData, row: PositionContextRow): Record<string, unknown> {
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
    ...(stored.amount !== undefined && { amount: decimal(stored.amount) }),
  }
}
