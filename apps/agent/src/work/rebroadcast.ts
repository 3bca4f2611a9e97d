import { type Node, NodeUnavailable } from '../chains/index.ts'
import type { SignedTransaction } from '../journal/index.ts'
import { sendJournaled } from './deliver.ts'
import type { Parts } from './parts.ts'

export interface Resending {
  readonly stopping: AbortSignal
  /** Gets each report that begins. Sending does not wait for it: bytes expire, whether or not the service answers. */
  readonly onReport: (report: Promise<void>) => void
}

/** Resumes what a crash left signed, perhaps sent, and unreported: the same bytes go out again, never new ones. */
export async function resumeUnreported(parts: Parts, node: Node, resending: Resending): Promise<void> {
  await eachOutstanding(parts, node, resending, async (entry) => {
    if (!isReported(parts, entry)) await sendAndReport(parts, node, entry, resending)
  })
}

/** Rebroadcasts signed bytes that no node knows, and closes those with a final outcome. */
export async function rebroadcastOutstanding(parts: Parts, node: Node, resending: Resending): Promise<void> {
  await eachOutstanding(parts, node, resending, async (entry) => {
    const fate = await node.transactionState(entry)
    if (fate === 'final' || fate === 'dead') recordOutcome(parts, entry, fate)
    if (fate !== 'lost' && fate !== 'dead') parts.losses.recovered(entry.hash, idsOf(entry))
    if (fate !== 'lost') return
    parts.emit('resent')
    if (!isReported(parts, entry)) return sendAndReport(parts, node, entry, resending)
    const sent = await node.send(entry)
    parts.losses.failed(entry.hash, { ...idsOf(entry), ...sent }, { cause: sent.outcome })
  })
}

/** Also while the service has not answered yet: it may have taken the report. */
function isReported({ journal, reports }: Parts, entry: SignedTransaction): boolean {
  return journal.isReported(entry) || reports.isUnderWay(entry)
}

async function sendAndReport(
  parts: Parts,
  node: Node,
  entry: SignedTransaction,
  { stopping, onReport }: Resending,
): Promise<void> {
  const said = await sendJournaled(parts, node, entry)
  if (said !== undefined) onReport(parts.reports.report(entry, said, stopping))
}

/**
 * Acts on each outstanding entry of the node's chain. What fails for one, because no node responds or for another reason,
 * is logged and has its turn again: nothing may keep the other bytes from being sent.
 */
async function eachOutstanding(
  parts: Parts,
  node: Node,
  { stopping }: Resending,
  act: (entry: SignedTransaction) => Promise<void>,
): Promise<void> {
  const { blockchain } = node
  for (const entry of parts.journal.outstanding()) {
    if (stopping.aborted) return
    if (entry.blockchain !== blockchain) continue
    try {
      // A development chain that was reset accepts nothing from before.
      if (await node.serves(entry.genesis)) await act(entry)
      else recordOutcome(parts, entry, 'other-chain')
      parts.chainOutages.recovered(blockchain, { blockchain })
    } catch (error) {
      if (error instanceof NodeUnavailable) parts.chainOutages.failed(blockchain, { blockchain, err: error.message })
      else parts.losses.failed(entry.hash, { ...idsOf(entry), err: error }, { ...FAILED, cause: String(error) })
    }
  }
}

const FAILED = {
  away: 'signed bytes were not looked after; tried again in the next round',
  level: 'error',
} as const

const idsOf = ({ operationId, transactionId, blockchain, hash }: SignedTransaction) => ({
  operationId,
  transactionId,
  blockchain,
  hash,
})

function recordOutcome(parts: Parts, entry: SignedTransaction, ending: 'final' | 'dead' | 'other-chain'): void {
  parts.journal.recordOutcome(entry, ending)
  parts.emit('ended')
  parts.log.info({ ...idsOf(entry), ending }, 'settled')
}
