import { AGENT_POLL_INTERVAL_MS } from '../kernel/index.ts'

/** How many who wait can be served now, by organization. */
export type CountAvailable = (
  waiting: readonly { readonly organizationId: number; readonly waiters: number }[],
) => Promise<ReadonlyMap<number, number>>

/** Where polls wait until there is work. They hold no connection to the database. */
export interface LongPollWaiters {
  /** Resolves when it is worth asking for work again, or when `until` is aborted. */
  wait(organizationId: number, until: AbortSignal): Promise<void>
}

/**
 * One look for all who wait, a few times a second and only while somebody does: work that another process offers, a
 * lease that lapses and a chain that answers again are all found the same way. As many are woken as can be served.
 */
export function createLongPollWaiters(look: CountAvailable, lookEveryMs = AGENT_POLL_INTERVAL_MS): LongPollWaiters {
  const waiting = new Map<number, Set<() => void>>()
  let looking = false

  const lookAround = async (): Promise<void> => {
    const counted = [...waiting].map(([organizationId, calls]) => ({ organizationId, waiters: calls.size }))
    let served: ReadonlyMap<number, number>
    try {
      served = await look(counted)
    } catch {
      // Whoever asks again is told what is wrong with the database.
      served = new Map(counted.map(({ organizationId, waiters }) => [organizationId, waiters]))
    }
    for (const [organizationId, count] of served) {
      for (const call of [...(waiting.get(organizationId) ?? [])].slice(0, count)) call()
    }
  }

  const keepLooking = (): void => {
    if (looking) return
    looking = true
    const again = (): void => {
      setTimeout(async () => {
        await lookAround()
        if (waiting.size > 0) return again()
        looking = false
      }, lookEveryMs)
    }
    again()
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
        keepLooking()
      }),
  }
}
