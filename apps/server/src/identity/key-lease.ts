import { setTimeout as pause } from 'node:timers/promises'
import { KEY_LEASE_MS } from '../kernel/index.ts'
import type { KeyCheck } from './authenticate-key.ts'

/** A process that has more keys in use within one lease than this looks some of them up more often. */
const LEASES_MAX = 10_000

interface Lease {
  readonly check: KeyCheck
  readonly until: number
}

/**
 * Looks a key up once a lease instead of once a request: for {@link KEY_LEASE_MS} a process relies on what it read. A
 * deleted key stops working at once all the same (decisions 3), because whoever deletes it is answered only after
 * {@link leasesToEnd}: then no process relies on anything that it read before. Nothing but what holds is leased.
 */
export function withLeases(look: (presented: string) => Promise<KeyCheck>): (presented: string) => Promise<KeyCheck> {
  const leases = new Map<string, Lease>()
  return async (presented) => {
    const now = performance.now()
    const lease = leases.get(presented)
    if (lease !== undefined && now < lease.until) return lease.check
    // It counts from before the question, because the answer may be as old as that.
    const check = await look(presented)
    leases.delete(presented)
    if (check.status === 'valid') {
      if (leases.size >= LEASES_MAX) leases.clear()
      leases.set(presented, { check, until: now + KEY_LEASE_MS })
    }
    return check
  }
}

/** Resolves when every lease of every process that began before the call has ended. Call it after the commit. */
export async function leasesToEnd(): Promise<void> {
  const end = performance.now() + KEY_LEASE_MS
  // Timers may fire a little early.
  for (let left = KEY_LEASE_MS; left > 0; left = end - performance.now()) await pause(Math.ceil(left))
}
