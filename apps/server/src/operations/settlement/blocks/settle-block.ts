import type { Block, Chain } from '../../../chains/index.ts'
import type { Parts } from '../../lifecycle/parts.ts'
import { finalNonceCounts, recordFinalNonces } from '../../transactions/record-final-nonces.ts'
import { classifyTransactions, type Finding } from '../discovery/classify-transactions.ts'
import { findCandidates } from '../discovery/find-candidates.ts'
import {
  FIRST_TURNS,
  findUnreconciledWallets,
  type ReconciliationTurns,
} from '../discovery/find-unreconciled-wallets.ts'
import { readWalletSnapshots, type WalletSnapshot } from '../discovery/read-wallets.ts'
import { findTouchedWallets } from '../discovery/touched-wallets.ts'
import { settleOrQuarantine } from './quarantine.ts'

/**
 * Brings the ledger to a final block: settles all our transactions in it, then reconciles each wallet that the block
 * touched with the chain at this block (rule 7), many wallets in one database transaction. Idempotent: after a crash,
 * the next run completes it.
 *
 * HTTP calls to the chain: none for a block that touches no wallet, one otherwise, and up to two for all reasons of
 * reverted transactions.
 *
 * `after`: the final block of the chain's cursor, which this block follows. Error: LeaseLostError, if the cursor is
 * elsewhere.
 */
export async function settleBlock(parts: Parts, chain: Chain, block: Block, after: number): Promise<void> {
  const { blockchain } = chain.network
  const candidates = await findCandidates(parts.db, blockchain, block)
  const findings = classifyTransactions(block.transactions, candidates)
  await recordFinalNonces(parts.db, blockchain, finalNonceCounts(findings.map(({ included }) => included)))
  const wallets = await findTouchedWallets(parts.db, chain, block, findings)
  if (wallets.length === 0) return
  const snapshots = await readWalletSnapshots(chain, wallets, block.number)
  const reasons = await readRevertReasons(chain, findings)
  const byWallet = Map.groupBy(findings, ({ candidate }) => candidate.walletId)
  await settleOrQuarantine(
    parts,
    chain,
    snapshots.map((snapshot) => ({
      block,
      snapshot,
      findings: findingsForWallet(byWallet.get(snapshot.wallet.walletId) ?? [], snapshot),
      reasons,
      cursorAt: after,
    })),
  )
}

/**
 * Reconciles a page of the wallets that are new or marked for reconciliation, at the final block of the chain's cursor.
 * Returns where the next page continues: while no wallet can be compared, because no node has the state of the block, each
 * of them has its turn. Error: LeaseLostError, if the cursor is elsewhere.
 */
export async function reconcileNewWallets(
  parts: Parts,
  chain: Chain,
  block: Block,
  turns: ReconciliationTurns = FIRST_TURNS,
): Promise<ReconciliationTurns> {
  const { wallets, next } = await findUnreconciledWallets(parts.db, chain.network.blockchain, turns)
  const snapshots = await readWalletSnapshots(chain, wallets, block.number)
  const none = { findings: [], reasons: new Map() }
  await settleOrQuarantine(
    parts,
    chain,
    snapshots.map((snapshot) => ({ block, snapshot, cursorAt: block.number, ...none })),
  )
  return next
}

export function findingsForWallet(findings: readonly Finding[], { wallet }: Pick<WalletSnapshot, 'wallet'>): Finding[] {
  return findings.filter(
    ({ candidate }) => candidate.organizationId === wallet.organizationId && candidate.walletId === wallet.walletId,
  )
}

/**
 * Called after the balances, never in the same tick: a reason is text, and what a node refuses of it must not fail them.
 * Reverted transactions share the calls, however many there are.
 */
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
