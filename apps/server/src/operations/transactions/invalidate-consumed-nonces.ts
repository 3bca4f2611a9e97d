import { sql } from 'kysely'
import type { Chain } from '../../chains/index.ts'
import type { Parts } from '../lifecycle/parts.ts'
import type { Operation } from '../lifecycle/states/operation.ts'
import type { OperationTransaction } from '../lifecycle/states/transaction.ts'
import { killUnsubmittedBytes } from '../lifecycle/transitions/advance-transactions-in-bulk.ts'
import { recordFinalNonces } from './record-final-nonces.ts'

/**
 * Marks a wallet's bytes as dead if their nonce was already used at finality when they were built: the node that
 * returned the nonce lagged, or the follower settled that block in between. No later block reveals this, so it is
 * checked where such bytes block other work. They are dead if the final count is above their nonce and every counted
 * block is settled, because the follower would have seen them there (rule 1). `checkPending` handles submitted ones.
 *
 * Returns whether any were found. Error: CHAIN_UNAVAILABLE.
 */
export async function invalidateConsumedNonces(
  parts: Pick<Parts, 'db'>,
  chain: Chain,
  { organizationId, walletId }: Operation,
  { blockchain, sender }: OperationTransaction,
): Promise<boolean> {
  if (chain.replayProtection !== 'nonce') return false
  // Heads are requested together with the count, so one node serves both: a node behind the one that counted would
  // report an older end of the chain. They are read once more afterwards: no counted block is above that final head,
  // which never goes back.
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
