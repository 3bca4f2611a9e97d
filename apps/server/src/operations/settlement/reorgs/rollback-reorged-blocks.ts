import type { Block } from '../../../chains/index.ts'
import { type Database, inTransaction, type Tx } from '../../../database/index.ts'
import type { Parts } from '../../lifecycle/parts.ts'
import { rollbackInclusions } from '../../lifecycle/transitions/advance-transactions-in-bulk.ts'
import { ofQuarantinedWallet } from '../shared/of-quarantined-wallet.ts'

/**
 * Whether this final block replaced another one in which our transactions were recorded as included. That happens when
 * a node was unavailable during the reorg.
 */
export async function replacesIncludedBlock(
  { db }: Pick<Parts, 'db'>,
  blockchain: string,
  { number, hash }: Pick<Block, 'number' | 'hash'>,
): Promise<boolean> {
  const replaced = await db
    .selectFrom('transactions')
    .select('id')
    .where('blockchain', '=', blockchain)
    .where('state', '=', 'pending')
    .where('finalized_at', 'is', null)
    .where('block_number', '=', number)
    .where('block_hash', '<>', hash)
    .limit(1)
    .executeTakeFirst()
  return replaced !== undefined
}

/**
 * Handles a reorg: undoes inclusions in blocks above this number, which left the chain. The transactions are pending
 * again, `checkPendingTransactions` rebroadcasts their stored bytes (rule 5), and nonces are counted from scratch.
 * Nothing posted changes, because only final blocks are posted.
 */
export async function rollbackBlocksAbove(parts: Parts, blockchain: string, number: number): Promise<void> {
  await inTransaction(parts.db, async (tx) => {
    await rollbackInclusions(tx, blockchain, number, parts.clock.now())
    await markUnsent(tx, blockchain)
    await forgetLatestCounts(tx, blockchain)
  })
}

/** The stored bytes of pending transactions are broadcast again. */
export async function markUnsent(tx: Database | Tx, blockchain: string): Promise<void> {
  await tx
    .updateTable('transaction_hashes')
    .set({ broadcast_at: null })
    .where('blockchain', '=', blockchain)
    .where('raw', 'is not', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('transactions')
          .select('transactions.id')
          .whereRef('transactions.organization_id', '=', 'transaction_hashes.organization_id')
          .whereRef('transactions.id', '=', 'transaction_hashes.transaction_id')
          .where('transactions.blockchain', '=', blockchain)
          .where('transactions.state', '=', 'pending')
          .where('transactions.block_number', 'is', null),
      ),
    )
    .execute()
}

/**
 * Counts from reorged blocks would leave a nonce gap before every later plan. Final counts stay valid: rows that have no
 * other are left alone, because there is one for every address that was ever used, and plans wait for them.
 */
export async function forgetLatestCounts(tx: Database | Tx, blockchain: string): Promise<void> {
  await tx
    .updateTable('chain_nonces')
    .set({ latest_count: 0 })
    .where('blockchain', '=', blockchain)
    .whereRef('latest_count', '>', 'final_count')
    .execute()
}

/**
 * Undoes inclusions in blocks that are final now but do not contain the transaction, for example after a fork was
 * dropped. Returns whether there was one.
 */
export async function rollbackPassedInclusions(parts: Parts, blockchain: string, final: number): Promise<boolean> {
  const { first } = await parts.db
    .selectFrom('transactions as t')
    .select(({ fn }) => fn.min('block_number').as('first'))
    .where('blockchain', '=', blockchain)
    .where('can_still_land', '=', true)
    .where('finalized_at', 'is', null)
    .where('block_number', '<=', final)
    .where(({ not }) => not(ofQuarantinedWallet))
    .executeTakeFirstOrThrow()
  if (first === null) return false
  await rollbackBlocksAbove(parts, blockchain, Number(first) - 1)
  return true
}
