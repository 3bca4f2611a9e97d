import type { Chain } from '../../chains/index.ts'
import { inTransaction } from '../../database/index.ts'
import type { Operation } from '../lifecycle/operation.ts'
import type { Parts } from '../lifecycle/parts.ts'
import type { SignedMatch } from '../transactions/match-signed-transaction.ts'
import { linkHash } from '../transactions/transaction-hashes.ts'

/**
 * Links signed bytes of an ended operation if a node knows the transaction; it then completes the operation once it is
 * final (rule 2). Returns whether a node knows it.
 */
export async function linkLanded(
  parts: Parts,
  chain: Chain,
  operation: Operation,
  { transaction, signed }: SignedMatch,
): Promise<boolean> {
  const [sighting] = await chain.findTransactions([signed.hash])
  if (!sighting) return false
  await inTransaction(parts.db, async (tx) => {
    await linkHash(tx, {
      organizationId: operation.organizationId,
      blockchain: transaction.blockchain,
      transactionId: transaction.transactionId,
      txHash: signed.hash,
      source: 'signed',
      raw: signed.raw,
      at: parts.clock.now(),
    })
  })
  return true
}
