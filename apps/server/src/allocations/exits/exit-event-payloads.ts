import { buildEventPayloads, type EventPayload, type OutboxEvent, type Tx } from '../../database/index.ts'
import { formatDecimal } from '../../kernel/index.ts'
import { type PositionContextRow, readPositionContexts } from '../positions/read-position-contexts.ts'
import type { ExitEventData } from './write-exits.ts'

/** The public `data` of exit events, by event id: the outbox data, with names and decimals. */
export async function exitEventPayloads(
  tx: Tx,
  events: readonly OutboxEvent[],
): Promise<ReadonlyMap<number, EventPayload>> {
  const rows = await readPositionContexts(tx, events)
  return buildEventPayloads(events, rows, (stored, row) => publicData(stored as ExitEventData, row))
}

function publicData(stored: ExitEventData, row: PositionContextRow): Record<string, unknown> {
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
