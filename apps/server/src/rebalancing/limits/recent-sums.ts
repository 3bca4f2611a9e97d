import type { Database } from '../../database/index.ts'
import { type Clock, havePassed, KEPT_SUMS } from '../../kernel/index.ts'
import { type HeldSums, readHeldSums } from './held-sums.ts'

interface KeptSums {
  readonly sums: HeldSums
  readonly from: Date
  readonly forMs: number
}

const keptOf = new WeakMap<Database, Map<number, KeptSums>>()

/**
 * The organization's sums. Those of very many positions serve again for a while, so that adding up takes a small part of
 * the time however many there are: deposits planned since are counted in any case (ADR 184).
 */
export async function recentSums(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  organizationId: number,
  read: typeof readHeldSums = readHeldSums,
): Promise<HeldSums> {
  const kept = keptOf.get(db) ?? new Map<number, KeptSums>()
  keptOf.set(db, kept)
  const known = kept.get(organizationId)
  const from = clock.now()
  if (known && !havePassed(known.forMs, known.from, from)) return known.sums
  const began = performance.now()
  const sums = await read(db, organizationId, from)
  const tookMs = Math.ceil(performance.now() - began)
  if (sums.positions < KEPT_SUMS.positions) kept.delete(organizationId)
  else if (from >= (kept.get(organizationId)?.from ?? from))
    kept.set(organizationId, { sums, from, forMs: Math.min(tookMs * KEPT_SUMS.times, KEPT_SUMS.maxMs) })
  return sums
}
