import type { Node } from '../chains/index.ts'
import type { Parts } from './parts.ts'
import { rebroadcastOutstanding, resumeUnreported } from './rebroadcast.ts'

interface RebroadcastOptions {
  readonly everyMs: number
  readonly stopping: AbortSignal
  readonly onRound: () => void
}

/**
 * Keeps the signed bytes of one chain on their way until the chain has decided. It depends on this chain's endpoints
 * only: neither a service that does not answer nor another chain's endpoints delay it. Resolves after a stop, once no
 * report of its own is under way; rejects when a report fails for a reason other than the service.
 */
export async function rebroadcastUntilDecided(
  parts: Parts,
  node: Node,
  { everyMs, stopping, onRound }: RebroadcastOptions,
): Promise<void> {
  const reports = new Set<Promise<void>>()
  const broken = new AbortController()
  const ending = AbortSignal.any([stopping, broken.signal])
  const resending = {
    stopping: ending,
    onReport(report: Promise<void>) {
      reports.add(report)
      report.then(
        () => reports.delete(report),
        () => broken.abort(),
      )
    },
  }
  try {
    await resumeUnreported(parts, node, resending)
    while (!ending.aborted) {
      await rebroadcastOutstanding(parts, node, resending)
      onRound()
      await parts.clock.sleep(everyMs, ending)
    }
  } finally {
    await Promise.allSettled(reports)
  }
  await Promise.all(reports)
}
