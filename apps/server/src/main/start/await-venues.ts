import { setTimeout as pause } from 'node:timers/promises'
import type { Chain } from '../../chains/index.ts'
import type { Database } from '../../database/index.ts'
import { createOutageLogs, type Log, VENUES_FILE_RETRY_MS } from '../../kernel/index.ts'
import { retryWaitingVenues } from '../../venues/index.ts'
import type { SeededVenues } from './seed-venues.ts'

interface AwaitVenuesParts {
  readonly db: Database
  readonly log: Log
  readonly chains: ReadonlyMap<string, Chain>
  /** Resolves after this many milliseconds; rejects once the signal is aborted. */
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<unknown>
}

export interface AwaitedVenues {
  /** What an operator must know of VENUES_FILE, for `GET /ready`. */
  warnings(): readonly string[]
  /** Resolves when no entry is waiting, or after {@link stop}. */
  readonly done: Promise<void>
  stop(): Promise<void>
}

/**
 * Retries the entries of VENUES_FILE whose chain was unavailable at the start, at growing intervals, until each is
 * accepted or refused. Every process with the file may do so at once: what one of them adds stays.
 */
export function awaitVenues(
  { wait = waitFor, ...parts }: AwaitVenuesParts,
  { own, waiting: atStart }: SeededVenues,
): AwaitedVenues {
  const stopping = new AbortController()
  let waiting = atStart
  let refused = 0
  const failures = createOutageLogs(parts.log, {
    away: 'failed to read the entries that wait for their chain',
    back: 'the entries that wait for their chain can be read again',
    level: 'error',
  })
  async function retry(): Promise<void> {
    for (let delay: number = VENUES_FILE_RETRY_MS.first; waiting.length > 0; delay *= 2) {
      await wait(Math.min(delay, VENUES_FILE_RETRY_MS.max), stopping.signal)
      try {
        const result = await retryWaitingVenues(parts, waiting, own)
        waiting = result.waiting
        refused += result.refused
        failures.recovered({ setting: 'VENUES_FILE' })
      } catch (error) {
        failures.failed({ setting: 'VENUES_FILE' }, { err: error })
      }
    }
  }
  const done = retry().catch((error: unknown) => {
    if (!stopping.signal.aborted) throw error
  })
  return {
    done,
    warnings: () => [...(waiting.length > 0 ? ['venues_waiting'] : []), ...(refused > 0 ? ['venues_refused'] : [])],
    async stop() {
      stopping.abort()
      await done
    },
  }
}

function waitFor(milliseconds: number, signal: AbortSignal): Promise<unknown> {
  return pause(milliseconds, undefined, { signal, ref: false })
}
