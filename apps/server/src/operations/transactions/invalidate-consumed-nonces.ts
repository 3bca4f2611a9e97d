import { sql } from 'kysely'
import type { Chain } from '../../chains/index.ts'
import { killUnsubmittedBytes } from '../lifecycle/move-transactions-in-bulk.ts'
import type { Operation } from '../lifecycle/operation.ts'
import type { Parts } from '../lifecycle/parts.ts'
import type { OperationTransaction } from '../lifecycle/transaction.ts'
import { recordFinalNonces } from './record-final-nonces.ts'

/**
 * Bytes of an EVM wallet that were built with a nonce which was used for good by then: the node that was asked for it
 * lagged, or the follower settled that block in between. No later block tells of them; so they are found dead here,
 * where they keep something waiting: the final count is above their nonce, and every block that is counted is settled,
 * in which they would have been seen (rule 1). What is on its way is left to `checkPending`.
 *
 * Returns whether there were any. Error: CHAIN_UNAVAILABLE.
 */
export async function invalidateConsumedNonces(
  parts: Pick<Parts, 'db'>,
  chain: Chain,
  { organizationId, walletId }: Operation,
  { blockchain, sender }: OperationTransaction,
): Promise<boolean> {
  if (chain.network.family !== 'evm') return false
  // Asked beside the count, so that one node answers both: a node that is behind the one that counted would pass for
  // the end of the chain. And after it, so that the counted blocks are none above the head; a final head never goes back.
  const [[count = 0]] = await Promise.all([chain.finalNonces([sender]), chain.heads()])
  await recordFinalNonces(parts.db, blockchain, [{ sender, count }])
  const { final } = await chain.heads()
  const killed = await killUnsubmittedBytes(
    parts.db,
    sql`t.organization_id = ${organizationId} and t.blockchain = ${blockchain} and t.sender = ${sender}
      and t.nonce < ${count}
      and exists (select from chain_cursors c where c.blockchain = t.blockchain and c.final_number >= ${final.number})
      -- A quarantined wallet has not seen those blocks.
      and not exists (select from quarantined_wallets s
        where s.organization_id = t.organization_id and s.wallet_id = ${walletId})`,
  )
  return killed > 0
}
