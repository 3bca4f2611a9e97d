import type { Node } from '../chains/index.ts'
import type { Signed } from '../journal/index.ts'
import { persist } from '../service/persist.ts'
import type { TransactionReport } from '../service/work.ts'
import type { Parts } from './parts.ts'

/**
 * Sends bytes that stand in the journal and reports them. An uncertain answer is reported as sent, because money may
 * move; the upkeep sends the bytes again until the chain has decided. A certain no is reported as failed. Bytes that were
 * overtaken are nobody's failure: the service makes new ones once they are dead.
 */
export async function deliver(parts: Parts, node: Node, entry: Signed, stopping: AbortSignal): Promise<void> {
  const { journal, log, tell } = parts
  const { transactionId, hash } = entry
  const sent = await node.send(entry)
  if (sent.outcome === 'refused') {
    journal.ended(entry, 'refused')
    tell('send-refused')
    log.warn({ transactionId, hash, reason: sent.reason }, 'the chain refused the transaction')
    const error = `The chain refused the transaction: ${sent.reason}`
    return report(parts, entry, { status: 'FAILED', error }, stopping)
  }
  if (sent.outcome === 'stale') {
    tell('held')
    return log.warn({ transactionId, hash, reason: sent.reason }, 'cannot land any more: new bytes will come')
  }
  tell('sent')
  log.info({ transactionId, hash, ...sent }, 'sent')
  await report(parts, entry, { status: 'SUBMITTED', txHash: hash }, stopping)
}

async function report(parts: Parts, entry: Signed, said: TransactionReport, stopping: AbortSignal): Promise<void> {
  const { service, journal, log, tell, clock } = parts
  const { transactionId, hash, leaseToken } = entry
  const ask = () => service.reportTransaction(transactionId, said, leaseToken ?? undefined)
  const refusal = await persist(ask, { clock, signal: stopping })
  if (refusal === 'stopped') return
  journal.reported(entry, refusal?.code ?? said.status)
  if (refusal === undefined) return tell('reported')
  tell('report-refused')
  log.error({ transactionId, hash, code: refusal.code, err: refusal.message }, 'the service refused the report')
}
