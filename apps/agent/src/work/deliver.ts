import type { Node } from '../chains/index.ts'
import type { SignedTransaction } from '../journal/index.ts'
import { retryUntilAnswered } from '../service/retry-until-answered.ts'
import type { TransactionReport } from '../service/work.ts'
import type { Parts } from './parts.ts'

/**
 * Sends journaled bytes and reports them. An uncertain outcome is reported as SUBMITTED, because money may move; the
 * agent rebroadcasts until the chain has decided. A certain refusal is reported as FAILED. Stale bytes are not reported
 * as failed: the service builds new ones once they are dead.
 */
export async function deliver(
  parts: Parts,
  node: Node,
  entry: SignedTransaction,
  stopping: AbortSignal,
): Promise<void> {
  const { journal, log, emit } = parts
  const { transactionId, hash } = entry
  const sent = await node.send(entry)
  if (sent.outcome === 'refused') {
    journal.recordOutcome(entry, 'refused')
    emit('send-refused')
    log.warn({ transactionId, hash, reason: sent.reason }, 'the chain refused the transaction')
    const error = `The chain refused the transaction: ${sent.reason}`
    return report(parts, entry, { status: 'FAILED', error }, stopping)
  }
  if (sent.outcome === 'stale') {
    emit('held')
    return log.warn(
      { transactionId, hash, reason: sent.reason },
      'can no longer land: the service will build new bytes',
    )
  }
  emit('sent')
  log.info({ transactionId, hash, ...sent }, 'sent')
  await report(parts, entry, { status: 'SUBMITTED', txHash: hash }, stopping)
}

async function report(
  parts: Parts,
  entry: SignedTransaction,
  said: TransactionReport,
  stopping: AbortSignal,
): Promise<void> {
  const { service, journal, log, emit, clock } = parts
  const { transactionId, hash, leaseToken } = entry
  const ask = () => service.reportTransaction(transactionId, said, leaseToken ?? undefined)
  const refusal = await retryUntilAnswered(ask, { clock, signal: stopping })
  if (refusal === 'stopped') return
  journal.recordReported(entry, refusal?.code ?? said.status)
  if (refusal === undefined) return emit('reported')
  emit('report-refused')
  log.error({ transactionId, hash, code: refusal.code, err: refusal.message }, 'the service refused the report')
}
