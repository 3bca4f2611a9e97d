import { sql } from 'kysely'
import type { Block } from '../../../chains/index.ts'
import type { Database, OperationState } from '../../../database/index.ts'
import { isUnfinished } from '../../lifecycle/states/operation-states.ts'
import { type TransactionRow, transactionFrom } from '../../lifecycle/states/transaction.ts'
import type { Candidate } from './classify-transactions.ts'

/** Our transactions that a block may affect, by sender or by hash. One statement, however many are in flight. */
export async function findCandidates(db: Database, blockchain: string, block: Block): Promise<Candidate[]> {
  if (block.transactions.length === 0) return []
  const senders = [...new Set(block.transactions.map(({ sender }) => sender))]
  const hashes = block.transactions.map(({ hash }) => hash)
  const { rows } = await sql<
    TransactionRow & { wallet_id: number; strategy_id: number; operation_state: OperationState; hashes: string[] }
  >`
    with found as (
      select organization_id, id from transactions
      where blockchain = ${blockchain} and can_still_land and sender = any(${senders}::text[])
      union
      select organization_id, transaction_id from transaction_hashes
      where blockchain = ${blockchain} and tx_hash = any(${hashes}::text[])
    )
    select t.*, o.wallet_id, o.strategy_id, o.state as operation_state,
      array(select h.tx_hash from transaction_hashes h
        where h.organization_id = t.organization_id and h.transaction_id = t.id) as hashes
    from found
    join transactions t on t.organization_id = found.organization_id and t.id = found.id
    join operations o on o.organization_id = t.organization_id and o.id = t.operation_id
    where t.blockchain = ${blockchain} and t.can_still_land
    order by t.id
  `.execute(db)
  return rows.map((row) => ({
    organizationId: row.organization_id,
    walletId: row.wallet_id,
    strategyId: row.strategy_id,
    isOperationEnded: !isUnfinished(row.operation_state),
    transaction: transactionFrom(row),
    hashes: row.hashes,
  }))
}
