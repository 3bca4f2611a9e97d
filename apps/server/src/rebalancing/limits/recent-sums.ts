import type { Database } from '../../database/index.ts'
import { addMilliseconds, type Clock, SLOW_SUMS } from '../../kernel/index.ts'
import { type HeldSums, readHeldSums } from './held-sums.ts'

interface KeptSums {
  readonly sums: HeldSums
  readonly until: Date
}

const keptOf = new WeakMap<Database, Map<number, KeptSums>>()

/**
 * The organization's sums. Those that took long to read serve again for a while, so that adding up takes a small part of
 * the time however many positions there are: deposits planned since are counted in any case (ADR 184).
 */
export async function recentSums(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  organizationId: number,
  read: typeof readHeldSums = readHeldSums,
): Promise<HeldSums> {
  const kept = keptOf.get(db) ?? new Map<number, KeptSums>()
  keptOf.set(db, kept)
  const known = kept.get(organizationId)
  if (known && clock.now() < known.until) return known.sums
  kept.delete(organizationId)
  const began = performance.now()
  const sums = await read(db, organizationId, clock.now())
  const tookMs = performance.now() - began
  if (tookMs >= SLOW_SUMS.fromMs) {
    kept.set(organizationId, { sums, until: addMilliseconds(clock.now(), Math.ceil(tookMs * SLOW_SUMS.keptTimes)) })
  }
  return sums
}
