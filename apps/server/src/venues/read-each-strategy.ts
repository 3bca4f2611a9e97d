import { PastStateMissingError } from '../chains/index.ts'
import { type Log, outageLogsBy } from '../kernel/index.ts'
import { ContractUnavailableError } from './contract-unavailable.ts'
import type { Strategy } from './port.ts'

interface ReadingOptions {
  /** Logs a strategy that cannot be read once, and once more when it can be read again. */
  readonly log?: Log
  /** Fails if the chain does not serve every strategy, instead of omitting those that it does not. */
  readonly needsAll?: boolean
}

const outagesOf = outageLogsBy({
  away: 'failed to read a strategy; it is left out',
  back: 'a strategy can be read again',
})

/**
 * Reads every strategy with `read`, all in the same tick, so that one request carries them. A contract that reverts
 * must not hide the others: its strategy is omitted. If every read fails and one of them for another
 * reason, the chain is unavailable, and that error is thrown.
 */
export async function readEachStrategy<T>(
  strategies: readonly Strategy[],
  read: (strategy: Strategy) => Promise<T>,
  { log, needsAll = false }: ReadingOptions = {},
): Promise<T[]> {
  const results = await Promise.allSettled(strategies.map(read))
  const failed = results.flatMap((result, i) =>
    result.status === 'rejected' ? [{ strategy: strategies[i]!.key, error: result.reason as unknown }] : [],
  )
  const ofChain = failed.filter(({ error }) => !(error instanceof ContractUnavailableError))
  // The state is missing only where nothing else kept a strategy from being read.
  const chainFailure = ofChain.find(({ error }) => !(error instanceof PastStateMissingError)) ?? ofChain[0]
  if (chainFailure && (needsAll || failed.length === results.length)) throw chainFailure.error
  if (log) {
    const outages = outagesOf(log, log)
    for (const { strategy, error } of failed) outages.failed({ strategy }, { err: error })
    for (const [at, { key: strategy }] of strategies.entries())
      if (results[at]!.status === 'fulfilled') outages.recovered({ strategy })
  }
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
}
