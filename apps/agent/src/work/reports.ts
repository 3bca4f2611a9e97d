import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import type { Journal, SignedTransaction } from '../journal/index.ts'
import type { Service } from '../service/client.ts'
import { retryUntilAnswered } from '../service/retry-until-answered.ts'
import type { TransactionReport } from '../service/work.ts'
import type { WorkStep } from './work-step.ts'

/** Reports about signed bytes that the service has not answered yet. */
export interface Reports {
  /**
   * Reports, and resolves once the service has answered or `stopping` aborts. While a report about the same bytes under
   * the same lease is under way, it resolves with that one and does not report twice.
   */
  report(entry: SignedTransaction, said: TransactionReport, stopping: AbortSignal): Promise<void>
  isUnderWay(entry: SignedTransaction): boolean
}

interface ReportParts {
  readonly service: Pick<Service, 'reportTransaction'>
  readonly journal: Pick<Journal, 'recordReported'>
  readonly log: Pick<Logger, 'error'>
  readonly emit: (step: WorkStep) => void
  readonly clock: Clock
}

export function createReports(parts: ReportParts): Reports {
  const underWay = new Map<string, Promise<void>>()
  return {
    report(entry, said, stopping) {
      const key = keyOf(entry)
      const earlier = underWay.get(key)
      if (earlier !== undefined) return earlier
      const report = reportAndRecord(parts, entry, said, stopping).finally(() => underWay.delete(key))
      underWay.set(key, report)
      return report
    },
    isUnderWay: (entry) => underWay.has(keyOf(entry)),
  }
}

/** A later lease may be answered differently, so its report does not wait for one of an earlier lease. */
function keyOf({ hash, leaseToken }: SignedTransaction): string {
  return `${hash} ${leaseToken}`
}

async function reportAndRecord(
  { service, journal, log, emit, clock }: ReportParts,
  entry: SignedTransaction,
  said: TransactionReport,
  stopping: AbortSignal,
): Promise<void> {
  const { operationId, transactionId, blockchain, hash, leaseToken } = entry
  const ask = () => service.reportTransaction(transactionId, said, leaseToken ?? undefined)
  const refusal = await retryUntilAnswered(ask, { clock, signal: stopping })
  if (refusal === 'stopped') return
  journal.recordReported(entry, refusal?.code ?? said.status)
  if (refusal === undefined) return emit('reported')
  emit('report-refused')
  log.error(
    { operationId, transactionId, blockchain, hash, code: refusal.code, err: refusal.message },
    'the service refused the report',
  )
}
