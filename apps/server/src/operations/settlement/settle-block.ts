import type { Block, Chain } from '../../chains/index.ts'
import type { Parts } from '../lifecycle/parts.ts'
import { finalNonceCounts, recordFinalNonces } from '../transactions/record-final-nonces.ts'
import { classifyTransactions, type Finding } from './classify-transactions.ts'
import { findCandidates } from './find-candidates.ts'
import { settleOrQuarantine } from './quarantine.ts'
import { readWalletSnapshots, type WalletSnapshot } from './read-wallets.ts'
import { findTouchedWallets, findUnreconciledWallets } from './touched-wallets.ts'

/**
 * Brings the books to a final block: settles every transaction of ours in it, then compares each wallet that the block
 * touched with the chain, as it was at this block (rule 7). One transaction a wallet; doing it twice changes
 * nothing, so that a crash in between is healed by the next run.
 *
 * HTTP calls to the chain: none for a block without us, one otherwise.
 */
export async function settleBlock(parts: Parts, chain: Chain, block: Block): Promise<void> {
  const { blockchain } = chain.network
  const candidates = await findCandidates(parts.db, blockchain, block)
  const findings = classifyTransactions(block.transactions, candidates)
  await recordFinalNonces(parts.db, blockchain, finalNonceCounts(findings.map(({ included }) => included)))
  const wallets = await findTouchedWallets(parts.db, chain, block, findings)
  if (wallets.length === 0) return
  const [readings, reasons] = await Promise.all([
    readWalletSnapshots(chain, wallets, block.number),
    readRevertReasons(chain, findings),
  ])
  for (const reading of readings) {
    await settleOrQuarantine(parts, chain, block, reading, findingsForWallet(findings, reading), reasons)
  }
}

/** Compares wallets that were never compared, or asked for it, with the chain at a block that was settled before. */
export async function reconcileNewWallets(parts: Parts, chain: Chain, block: Block): Promise<number> {
  const wallets = await findUnreconciledWallets(parts.db, chain)
  const readings = await readWalletSnapshots(chain, wallets, block.number)
  for (const reading of readings) await settleOrQuarantine(parts, chain, block, reading, [], new Map())
  return wallets.length
}

export function findingsForWallet(findings: readonly Finding[], { wallet }: WalletSnapshot): Finding[] {
  return findings.filter(
    ({ candidate }) => candidate.organizationId === wallet.organizationId && candidate.walletId === wallet.walletId,
  )
}

/** Asked in the same tick as the balances, so that a block with a hundred reverted ones costs no more calls. */
export async function readRevertReasons(
  chain: Chain,
  findings: readonly Finding[],
): Promise<Map<string, string | undefined>> {
  const reverted = findings.filter(({ kind, included }) => kind === 'landed' && !included.succeeded)
  const reasons = await Promise.all(
    reverted.map(async ({ included }) => [included.hash, await chain.revertReason(included)] as const),
  )
  return new Map(reasons)
}
