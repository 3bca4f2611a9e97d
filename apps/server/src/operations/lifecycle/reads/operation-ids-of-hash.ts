import { BLOCKCHAINS } from '../../../chains/index.ts'
import type { Database, Tx } from '../../../database/index.ts'

/** The ids of the operations of an organization that sent a transaction under this hash, on any chain; as a query. */
export function operationIdsOfHash(db: Database | Tx, organizationId: number, txHash: string) {
  return db
    .selectFrom('transaction_hashes')
    .innerJoin('transactions', (join) =>
      join
        .onRef('transactions.organization_id', '=', 'transaction_hashes.organization_id')
        .onRef('transactions.id', '=', 'transaction_hashes.transaction_id'),
    )
    .select('transactions.operation_id')
    .where('transaction_hashes.organization_id', '=', organizationId)
    .where('transaction_hashes.blockchain', 'in', BLOCKCHAINS)
    .where('transaction_hashes.tx_hash', '=', /^0x/i.test(txHash) ? txHash.toLowerCase() : txHash)
}
