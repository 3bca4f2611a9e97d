import type { Log } from '../kernel/index.ts'
import { ContractUnavailableError } from './contract-unavailable.ts'
import type { Strategy } from './port.ts'

/**
 * What `ask` answers for each strategy, all asked in the same tick so that one request carries them. A contract that
 * reverts must not hide the others: its strategy is left out, and told to the log. When none answers for another
 * reason, it is the chain that does not, and that error is thrown.
 */
export async function readEachStrategy<T>(
  strategies: readonly Strategy[],
  ask: (strategy: Strategy) => Promise<T>,
  log?: Log,
): Promise<T[]> {
  const results = await Promise.allSettled(strategies.map(ask))
  const failed = results.flatMap((result, i) =>
    result.status === 'rejected' ? [{ strategy: strategies[i]!.key, error: result.reason as unknown }] : [],
  )
  const unanswered = failed.find(({ error }) => !(error instanceof ContractUnavailableError))
  if (unanswered && failed.length === results.length) throw unanswered.error
  for (const { strategy, error } of failed) log?.warn({ strategy, err: error }, 'a strategy cannot be read')
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
}
