import { clearExitReadings, deleteEndedDays } from '../../../allocations/index.ts'
import type { Chain } from '../../../chains/index.ts'
import { inTransaction } from '../../../database/index.ts'
import { requestChainReconciliation } from '../../../wallets/index.ts'
import type { Parts } from '../../lifecycle/parts.ts'
import { freeLostNonces } from '../../lifecycle/transitions/advance-transactions-in-bulk.ts'
import { clearQuarantine } from '../blocks/quarantine.ts'
import { rollbackBlocksAbove } from './rollback-reorged-blocks.ts'

/**
 * Handles the loss of final blocks, for example after a development chain was killed before it saved its state. An
 * ordinary reorg affects only blocks that are not final (rollback-reorged-blocks.ts). A new reconciliation of every
 * wallet undoes the effects of the lost blocks. This function also frees the nonces that they used. Otherwise no plan of
 * these wallets could be submitted: our rows would count those nonces as used, and the chain would see a gap.
 */
export async function rollbackLostFinalBlocks(parts: Parts, chain: Chain): Promise<void> {
  const { blockchain } = chain.network
  await rollbackBlocksAbove(parts, blockchain, 0)
  const confirmed = await parts.db
    .selectFrom('transactions')
    .select('sender')
    .distinct()
    .where('blockchain', '=', blockchain)
    .where('state', '=', 'confirmed')
    .where('nonce', 'is not', null)
    .execute()
  const senders = confirmed.map(({ sender }) => sender)
  const counts = senders.length > 0 ? await chain.finalNonces(senders) : []
  // A process that hung while it read the counts must not apply them: another one may have followed the chain since.
  await inTransaction(parts.db, async (tx) => {
    await clearQuarantine(tx, blockchain)
    await tx.deleteFrom('chain_nonces').where('blockchain', '=', blockchain).execute()
    await freeLostNonces(tx, blockchain, senders, counts)
    await clearExitReadings(tx, blockchain)
    await deleteEndedDays(tx, blockchain)
    await requestChainReconciliation(tx, blockchain)
  })
}
