import { AGENT_POLL_INTERVAL_MS } from '../kernel/index.ts'

/** How many waiting polls could be served now, by organization. */
export type CountAvailable = (
  waiting: readonly { readonly organizationId: number; readonly waiters: number }[],
) => Promise<ReadonlyMap<number, number>>

/** Where polls wait until there is work. They hold no database connection. */
export interface LongPollWaiters {
  /** Resolves when it is worth polling for work again, or when `until` is aborted. */
  wait(organizationId: number, until: AbortSignal): Promise<void>
}

/**
 * One shared lookup for all waiting polls, a few times a second and only while there are any: it finds work that
 * another process offered, a lapsed lease, and a chain that is available again. It wakes as many polls as can be
 * served.
 */
export function createLongPollWaiters(
  countAvailable: CountAvailable,
  intervalMs = AGENT_POLL_INTERVAL_MS,
): LongPollWaiters {
  const waiting = new Map<number, Set<() => void>>()
  let polling = false

  const wakeServable = async (): Promise<void> => {
    const counted = [...waiting].map(([organizationId, calls]) => ({ organizationId, waiters: calls.size }))
    let served: ReadonlyMap<number, number>
    try {
      served = await countAvailable(counted)
    } catch {
      // Each woken poll reports the database error itself.
      served = new Map(counted.map(({ organizationId, waiters }) => [organizationId, waiters]))
    }
    for (const [organizationId, count] of served) {
      for (const call of [...(waiting.get(organizationId) ?? [])].slice(0, count)) call()
    }
  }

  const startPolling = (): void => {
    if (polling) return
    polling = true
    const schedule = (): void => {
      setTimeout(async () => {
        await wakeServable()
        if (waiting.size > 0) return schedule()
        polling = false
      }, intervalMs)
    }
    schedule()
  }

  return {
    wait: (organizationId, until) =>
      new Promise((resolve) => {
        const calls = waiting.get(organizationId) ?? new Set()
        const call = (): void => {
          until.removeEventListener('abort', call)
          calls.delete(call)
          if (calls.size === 0 && waiting.get(organizationId) === calls) waiting.delete(organizationId)
          resolve()
        }
        if (until.aborted) return resolve()
        until.addEventListener('abort', call, { once: true })
        calls.add(call)
        waiting.set(organizationId, calls)
        startPolling()
      }),
  }
}
