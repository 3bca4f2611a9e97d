import { NodeUnavailable } from '../chains/index.ts'
import type { SignedTransaction } from '../journal/index.ts'
import { deliver } from './deliver.ts'
import type { Parts } from './parts.ts'

/** Resumes what a crash left signed, perhaps sent, and unreported: the same bytes go out again, never new ones. */
export async function resumeUnreported(parts: Parts, stopping: AbortSignal): Promise<void> {
  for (const entry of parts.journal.outstanding()) {
    if (stopping.aborted) return
    if (!parts.journal.isReported(entry)) await withNode(parts, entry, (node) => deliver(parts, node, entry, stopping))
  }
}

/** Rebroadcasts signed bytes that no node knows, and closes those with a final outcome. */
export async function rebroadcastOutstanding(parts: Parts, stopping: AbortSignal): Promise<void> {
  for (const entry of parts.journal.outstanding()) {
    if (stopping.aborted) return
    await withNode(parts, entry, async (node) => {
      const fate = await node.transactionState(entry)
      if (fate === 'final' || fate === 'dead') recordOutcome(parts, entry, fate)
      if (fate !== 'lost') return
      parts.emit('resent')
      if (!parts.journal.isReported(entry)) return deliver(parts, node, entry, stopping)
      const sent = await node.send(entry)
      parts.log.info({ transactionId: entry.transactionId, hash: entry.hash, ...sent }, 'sent again')
    })
  }
}

type Node = Parameters<typeof deliver>[1]

async function withNode(parts: Parts, entry: SignedTransaction, act: (node: Node) => Promise<void>): Promise<void> {
  const node = parts.nodes.get(entry.blockchain)
  if (node === undefined) return
  try {
    // A development chain that was reset accepts nothing from before.
    if ((await node.genesis()) !== entry.genesis) recordOutcome(parts, entry, 'other-chain')
    else await act(node)
    parts.chainOutages.recovered(entry.blockchain, { blockchain: entry.blockchain })
  } catch (error) {
    if (!(error instanceof NodeUnavailable)) throw error
    parts.chainOutages.failed(entry.blockchain, { blockchain: entry.blockchain, err: error.message })
  }
}

function recordOutcome(parts: Parts, entry: SignedTransaction, ending: 'final' | 'dead' | 'other-chain'): void {
  parts.journal.recordOutcome(entry, ending)
  parts.emit('ended')
  parts.log.info({ transactionId: entry.transactionId, hash: entry.hash, ending }, 'settled')
}
