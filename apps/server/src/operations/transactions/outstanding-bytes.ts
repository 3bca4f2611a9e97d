import type { Database, Tx } from '../../database/index.ts'
import type { Operation } from '../lifecycle/states/operation.ts'
import { TERMINAL } from '../lifecycle/states/operation-states.ts'
import type { OperationTransaction } from '../lifecycle/states/transaction.ts'

/**
 * Whether an ended operation of an agent, for the same wallet and token, left bytes that can still land (rule 2). On
 * Solana this alone delays new bytes. On EVM chains the next plan takes the same nonce, so at most one of the two
 * lands. If new bytes would get a higher one, because another transaction of the wallet is pending, they wait until the
 * outstanding bytes below `nonce` are settled.
 */
export async function hasOutstandingBytes(
  db: Database | Tx,
  operation: Operation,
  { sender, blockchain }: OperationTransaction,
  nonce?: number,
): Promise<boolean> {
  let query = db
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
  if (nonce !== undefined) query = query.where('t.nonce', '<', nonce)
  return (await query.executeTakeFirst()) !== undefined
}
