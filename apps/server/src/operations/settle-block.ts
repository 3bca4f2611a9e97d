import type { Block, Chain } from '../chains/index.ts'
import { candidatesIn } from './candidates.ts'
import { classify, type Finding } from './classify.ts'
import { countsOf, noteFinalCounts } from './note-final-counts.ts'
import type { Parts } from './parts.ts'
import { readWallets, type WalletReading } from './read-wallets.ts'
import { settleOrSetAside } from './set-aside.ts'
import { touchedWallets, uncomparedWallets } from './touched-wallets.ts'

/**
 * Brings the books to a final block: settles every transaction of ours in it, then compares each wallet that the block
 * touched with the chain, as it was at this block (money-rules 7). One transaction a wallet; doing it twice changes
 * nothing, so that a crash in between is healed by the next run.
 *
 * HTTP calls to the chain: none for a block without us, one otherwise.
 */
export async function settleBlock(parts: Parts, chain: Chain, block: Block): Promise<void> {
  const { blockchain } = chain.network
  const candidates = await candidatesIn(parts.db, blockchain, block)
  const findings = classify(block.transactions, candidates)
  await noteFinalCounts(parts.db, blockchain, countsOf(findings.map(({ included }) => included)))
  const wallets = await touchedWallets(parts.db, chain, block, findings)
  if (wallets.length === 0) return
  const [readings, reasons] = await Promise.all([
    readWallets(chain, wallets, block.number),
    revertReasons(chain, findings),
  ])
  for (const reading of readings) {
    await settleOrSetAside(parts, chain, block, reading, findingsOf(findings, reading), reasons)
  }
}

/** Compares wallets that were never compared, or asked for it, with the chain at a block that was settled before. */
export async function compareNewWallets(parts: Parts, chain: Chain, block: Block): Promise<number> {
  const wallets = await uncomparedWallets(parts.db, chain)
  const readings = await readWallets(chain, wallets, block.number)
  for (const reading of readings) await settleOrSetAside(parts, chain, block, reading, [], new Map())
  return wallets.length
}

export function findingsOf(findings: readonly Finding[], { wallet }: WalletReading): Finding[] {
  return findings.filter(
    ({ candidate }) => candidate.organizationId === wallet.organizationId && candidate.walletId === wallet.walletId,
  )
}

/** Asked in the same tick as the balances, so that a block with a hundred reverted ones costs no more calls. */
export async function revertReasons(
  chain: Chain,
  findings: readonly Finding[],
): Promise<Map<string, string | undefined>> {
  const reverted = findings.filter(({ kind, included }) => kind === 'landed' && !included.succeeded)
  const reasons = await Promise.all(
    reverted.map(async ({ included }) => [included.hash, await chain.revertReason(included)] as const),
  )
  return new Map(reasons)
}
