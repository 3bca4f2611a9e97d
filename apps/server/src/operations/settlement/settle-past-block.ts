import type { Chain, ObservedTransaction } from '../../chains/index.ts'
import type { Database } from '../../database/index.ts'
import { requestReconciliation } from '../../wallets/index.ts'
import type { Parts } from '../lifecycle/parts.ts'
import { classifyTransactions } from './classify-transactions.ts'
import { findCandidates } from './find-candidates.ts'
import { settleOrQuarantine } from './quarantine.ts'
import { readLatestWalletSnapshots } from './read-wallets.ts'
import { findingsForWallet, readRevertReasons } from './settle-block.ts'
import { findTouchedWallets } from './touched-wallets.ts'

/** Of what nodes show, what is in blocks that the follower has settled, and so will not look at again; one a block. */
export async function filterPastBlocks(
  db: Database,
  chain: Chain,
  sightings: readonly (ObservedTransaction | undefined)[],
): Promise<ObservedTransaction[]> {
  const blocks = new Map(sightings.flatMap((sighting) => (sighting ? [[sighting.blockNumber, sighting]] : [])))
  blocks.delete(undefined)
  if (blocks.size === 0) return []
  const cursor = await db
    .selectFrom('chain_cursors')
    .select('final_number')
    .where('blockchain', '=', chain.network.blockchain)
    .executeTakeFirst()
  return [...blocks.values()].filter(({ blockNumber }) => cursor && blockNumber! <= cursor.final_number)
}

/**
 * Settles transactions of ours in a block that was passed without them: because following began behind it, or because a
 * node told late. The same settlement as in time; only the wallet is not compared with that old block but, by the
 * follower's next round, with the present one, which takes back whatever had been booked as external meanwhile. Doing
 * it twice changes nothing, and it may run beside the follower.
 */
export async function settlePastBlock(parts: Parts, chain: Chain, { blockNumber }: ObservedTransaction): Promise<void> {
  const block = blockNumber === undefined ? undefined : await chain.block(blockNumber)
  if (!block || block.number !== blockNumber) return
  const findings = classifyTransactions(
    block.transactions,
    await findCandidates(parts.db, chain.network.blockchain, block),
  )
  const concerned = new Set(findings.map(({ candidate }) => `${candidate.organizationId} ${candidate.walletId}`))
  const touched = (await findTouchedWallets(parts.db, chain, block, findings)).filter(({ wallet }) =>
    concerned.has(`${wallet.organizationId} ${wallet.walletId}`),
  )
  const [readings, reasons] = await Promise.all([
    readLatestWalletSnapshots(chain, touched),
    readRevertReasons(chain, findings),
  ])
  for (const reading of readings) {
    await requestReconciliation(parts.db, reading.wallet)
    await settleOrQuarantine(parts, chain, block, reading, findingsForWallet(findings, reading), reasons)
  }
}
