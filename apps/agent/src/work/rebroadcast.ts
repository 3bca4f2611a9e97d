import { NodeUnavailable } from '../chains/index.ts'
import type { SignedTransaction } from '../journal/index.ts'
import { deliver } from './deliver.ts'
import type { Parts } from './parts.ts'

/** What a crash left behind: signed, perhaps sent, not reported. The same bytes go out again, never new ones. */
export async function resumeUnreported(parts: Parts, stopping: AbortSignal): Promise<void> {
  for (const entry of parts.journal.outstanding()) {
    if (stopping.aborted) return
    if (!parts.journal.isReported(entry)) await withNode(parts, entry, (node) => deliver(parts, node, entry, stopping))
  }
}

/** Looks after what was signed and is not final: what no node knows is sent again, what is decided is closed. */
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
    // A development chain that began anew takes nothing of the old one's.
    if ((await node.genesis()) !== entry.genesis) return recordOutcome(parts, entry, 'other-chain')
    await act(node)
  } catch (error) {
    if (!(error instanceof NodeUnavailable)) throw error
    parts.log.warn({ transactionId: entry.transactionId, err: error.message }, 'its chain does not answer')
  }
}

function recordOutcome(parts: Parts, entry: SignedTransaction, ending: 'final' | 'dead' | 'other-chain'): void {
  parts.journal.recordOutcome(entry, ending)
  parts.emit('ended')
  parts.log.info({ transactionId: entry.transactionId, hash: entry.hash, ending }, 'settled')
}
