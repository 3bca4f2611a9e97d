import { NodeSilent } from '../chains/index.ts'
import type { Signed } from '../journal/index.ts'
import { deliver } from './deliver.ts'
import type { Parts } from './parts.ts'

/** What a crash left behind: signed, perhaps sent, not reported. The same bytes go out again, never new ones. */
export async function resume(parts: Parts, stopping: AbortSignal): Promise<void> {
  for (const entry of parts.journal.open()) {
    if (stopping.aborted) return
    if (!parts.journal.isReported(entry)) await attend(parts, entry, (node) => deliver(parts, node, entry, stopping))
  }
}

/** Looks after what was signed and is not final: what no node knows is sent again, what is decided is closed. */
export async function upkeep(parts: Parts, stopping: AbortSignal): Promise<void> {
  for (const entry of parts.journal.open()) {
    if (stopping.aborted) return
    await attend(parts, entry, async (node) => {
      const fate = await node.fate(entry)
      if (fate === 'final' || fate === 'dead') end(parts, entry, fate)
      if (fate !== 'lost') return
      parts.tell('resent')
      if (!parts.journal.isReported(entry)) return deliver(parts, node, entry, stopping)
      const sent = await node.send(entry)
      parts.log.info({ transactionId: entry.transactionId, hash: entry.hash, ...sent }, 'sent again')
    })
  }
}

type Node = Parameters<typeof deliver>[1]

async function attend(parts: Parts, entry: Signed, act: (node: Node) => Promise<void>): Promise<void> {
  const node = parts.nodes.get(entry.blockchain)
  if (node === undefined) return
  try {
    // A development chain that began anew takes nothing of the old one's.
    if ((await node.genesis()) !== entry.genesis) return end(parts, entry, 'other-chain')
    await act(node)
  } catch (error) {
    if (!(error instanceof NodeSilent)) throw error
    parts.log.warn({ transactionId: entry.transactionId, err: error.message }, 'its chain does not answer')
  }
}

function end(parts: Parts, entry: Signed, ending: 'final' | 'dead' | 'other-chain'): void {
  parts.journal.ended(entry, ending)
  parts.tell('ended')
  parts.log.info({ transactionId: entry.transactionId, hash: entry.hash, ending }, 'settled')
}
