import type { Node } from '../chains/index.ts'
import type { SignedTransaction } from '../journal/index.ts'
import type { TransactionReport } from '../service/work.ts'
import type { Parts } from './parts.ts'

/** Sends journaled bytes and reports them; resolves once the service has answered. */
export async function deliver(
  parts: Parts,
  node: Node,
  entry: SignedTransaction,
  stopping: AbortSignal,
): Promise<void> {
  const said = await sendJournaled(parts, node, entry)
  if (said !== undefined) await parts.reports.report(entry, said, stopping)
}

/**
 * Sends journaled bytes and returns what to report. An uncertain outcome is reported as SUBMITTED, because money may
 * move; the agent rebroadcasts until the chain has decided. A certain refusal is reported as FAILED. Stale bytes are not
 * reported as failed: the service builds new ones once they are dead.
 */
export async function sendJournaled(
  { journal, holds, log, emit }: Parts,
  node: Node,
  entry: SignedTransaction,
): Promise<TransactionReport | undefined> {
  const { operationId, transactionId, blockchain, hash } = entry
  const facts = { operationId, transactionId, blockchain, hash }
  const sent = await node.send(entry)
  if (sent.outcome === 'refused') {
    journal.recordOutcome(entry, 'refused')
    emit('send-refused')
    log.warn({ ...facts, reason: sent.reason }, 'the chain refused the transaction')
    return { status: 'FAILED', error: `The chain refused the transaction: ${sent.reason}` }
  }
  if (sent.outcome === 'stale') {
    emit('held')
    holds.failed(String(transactionId), facts, {
      away: 'the signed bytes can no longer land; the service will build new ones',
    })
    return undefined
  }
  emit('sent')
  holds.recovered(String(transactionId), facts)
  log.info({ ...facts, ...sent }, 'sent')
  return { status: 'SUBMITTED', txHash: hash }
}
