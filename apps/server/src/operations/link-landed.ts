import type { Chain } from '../chains/index.ts'
import { inTransaction } from '../database/index.ts'
import type { Matched } from './match-signed.ts'
import type { Operation } from './operation.ts'
import type { Parts } from './parts.ts'
import { linkHash } from './transaction-hashes.ts'

/**
 * An operation that has ended, and bytes of it: where a node knows the transaction, it is linked, so that it completes
 * the operation when it is final (money-rules 2). Returns whether it was.
 */
export async function linkLanded(
  parts: Parts,
  chain: Chain,
  operation: Operation,
  { transaction, signed }: Matched,
): Promise<boolean> {
  const [sighting] = await chain.lookUp([signed.hash])
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
