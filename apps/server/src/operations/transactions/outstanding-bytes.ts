import type { Database, Tx } from '../../database/index.ts'
import type { Operation } from '../lifecycle/operation.ts'
import { TERMINAL } from '../lifecycle/operation-states.ts'
import type { OperationTransaction } from '../lifecycle/transaction.ts'

/**
 * An agent's operation of this wallet and token ended, and its bytes may still land (rule 2). On Solana that
 * alone keeps new ones back. On EVM chains the next plan takes the same nonce, so that at most one of them lands; only
 * where it would get a higher one, because something else of the wallet is on its way with `nonce` below it, new bytes
 * wait until that is settled.
 */
export async function hasOutstandingBytes(
  db: Database | Tx,
  operation: Operation,
  { sender, blockchain }: OperationTransaction,
  nonce?: number,
): Promise<boolean> {
  let left = db
    .selectFrom('transactions as t')
    .innerJoin('operations as o', (join) =>
      join.onRef('o.organization_id', '=', 't.organization_id').onRef('o.id', '=', 't.operation_id'),
    )
    .innerJoin('strategies as s', 's.id', 'o.strategy_id')
    .innerJoin('strategies as own', (join) =>
      join.onRef('own.token_address', '=', 's.token_address').on('own.id', '=', operation.strategyId),
    )
    .select('t.id')
    .where('t.blockchain', '=', blockchain)
    .where('t.sender', '=', sender)
    .where('t.can_still_land', '=', true)
    .where('t.organization_id', '=', operation.organizationId)
    .where('o.id', '<>', operation.operationId)
    .where('o.executor', '=', 'agent')
    .where('o.state', 'in', TERMINAL)
    .limit(1)
  if (nonce !== undefined) left = left.where('t.nonce', '<', nonce)
  return (await left.executeTakeFirst()) !== undefined
}
