import type { Block, Chain, ObservedTransaction } from '../../../chains/index.ts'
import type { Database } from '../../../database/index.ts'
import type { Wallet } from '../../../wallets/index.ts'
import type { Parts } from '../../lifecycle/parts.ts'
import { classifyTransactions } from '../discovery/classify-transactions.ts'
import { findCandidates } from '../discovery/find-candidates.ts'
import { readLatestWalletSnapshots } from '../discovery/read-wallets.ts'
import { findTouchedWallets } from '../discovery/touched-wallets.ts'
import { settleOrQuarantine } from './quarantine.ts'
import { findingsForWallet, readRevertReasons } from './settle-block.ts'
import type { WalletAtBlock } from './settle-wallet.ts'

/** Transactions in blocks that the follower has settled and will not read again; at most one for each block. */
export async function filterPastBlocks(
  db: Database,
  chain: Chain,
  lookups: readonly (ObservedTransaction | undefined)[],
): Promise<ObservedTransaction[]> {
  const blocks = new Map(lookups.flatMap((lookup) => (lookup ? [[lookup.blockNumber, lookup]] : [])))
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
 * Settles our transactions in a block that was settled without them, because following started after it or a node
 * reported it late. The settlement is the same as in time, with two exceptions: shares that were posted as external
 * meanwhile become the operation's (`find-external-posting.ts`), and the wallet is reconciled with the current block
 * instead, in the follower's next round, which reverses tokens that were. Idempotent, and safe to run concurrently with
 * the follower.
 */
export async function settlePastBlock(parts: Parts, chain: Chain, { blockNumber }: ObservedTransaction): Promise<void> {
  const block = blockNumber === undefined ? undefined : await chain.block(blockNumber)
  if (!block || block.number !== blockNumber) return
  for (const one of await walletsAtPastBlock(parts, chain, block)) await settleOrQuarantine(parts, chain, [one])
}

/**
 * The wallets that our transactions in a past block affect, or only `one` of them, if they do. Read at the latest block:
 * what the chain shows at the past one is older than what was settled.
 */
export async function walletsAtPastBlock(
  { db }: Parts,
  chain: Chain,
  block: Block,
  one?: Wallet,
): Promise<WalletAtBlock[]> {
  const all = classifyTransactions(block.transactions, await findCandidates(db, chain.network.blockchain, block))
  const findings = one ? findingsForWallet(all, { wallet: one }) : all
  const affected = new Set(findings.map(({ candidate }) => `${candidate.organizationId} ${candidate.walletId}`))
  const touched = (await findTouchedWallets(db, chain, block, findings)).filter(({ wallet }) =>
    affected.has(`${wallet.organizationId} ${wallet.walletId}`),
  )
  const snapshots = await readLatestWalletSnapshots(chain, touched)
  const reasons = await readRevertReasons(chain, findings)
  return snapshots.map((snapshot) => {
    const own = findingsForWallet(findings, snapshot)
    return { block, snapshot, findings: own, reasons, isPast: true }
  })
}
