import type { Chain } from '../../chains/index.ts'
import { requestChainReconciliation } from '../../wallets/index.ts'
import { freeLostNonces } from '../lifecycle/move-transactions-in-bulk.ts'
import type { Parts } from '../lifecycle/parts.ts'
import { clearQuarantine } from './quarantine.ts'
import { rollbackBlocksAbove } from './record-inclusions.ts'

/**
 * Final blocks are gone, as when a development chain was killed before it saved. What they brought is undone by
 * comparing every wallet anew; here the nonces that they used become free again, or no plan of these wallets could ever
 * be submitted: they would be taken in our rows, and beyond a gap on the chain.
 */
export async function rollbackLostBlocks(parts: Parts, chain: Chain): Promise<void> {
  const { blockchain } = chain.network
  await rollbackBlocksAbove(parts, blockchain, 0)
  await clearQuarantine(parts.db, blockchain)
  await parts.db.deleteFrom('chain_nonces').where('blockchain', '=', blockchain).execute()
  const confirmed = await parts.db
    .selectFrom('transactions')
    .select('sender')
    .distinct()
    .where('blockchain', '=', blockchain)
    .where('state', '=', 'confirmed')
    .where('nonce', 'is not', null)
    .execute()
  const senders = confirmed.map(({ sender }) => sender)
  if (senders.length > 0) {
    await freeLostNonces(parts.db, blockchain, senders, await chain.finalNonces(senders))
  }
  await requestChainReconciliation(parts.db, blockchain)
}
