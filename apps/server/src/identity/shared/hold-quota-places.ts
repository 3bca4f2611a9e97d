import { sql } from 'kysely'
import { type Database, inTransaction, type Tx } from '../../database/index.ts'
import { addMilliseconds, type Failure, QUOTA_PLACE_HELD_MS, type QuotaName } from '../../kernel/index.ts'
import { type QuotaParts, type QuotaPlace, requireQuota } from './require-quota.ts'

/** Consumes the held places in the transaction that writes the objects; `isCounted` as in {@link QuotaPlace}. */
export type ConsumeQuotaPlaces = (tx: Tx, options?: Pick<QuotaPlace, 'isCounted'>) => Promise<void>

/** Places that requests hold at `now`, as a scalar SQL expression: part of the use of a quota whose places are held. */
export const heldPlaces = (quota: QuotaName, organizationId: number, now: Date) => sql<number>`
  (select count(*) from quota_places
    where organization_id = ${organizationId} and quota = ${quota} and expires_at > ${now})`

interface HeldPlaces {
  readonly key: string
  readonly places: readonly QuotaPlace[]
  /** The error for a request whose key another request holds. Without it, requests with the same key share their places. */
  readonly whenHeld?: () => Failure
}

/**
 * Holds places while `work` calls a partner that charges for the call, so a request without a place calls nobody. The
 * uses of the places must count {@link heldPlaces}. A place is free again when `work` fails, or two minutes after its
 * process died. Error: as {@link requireQuota}.
 */
export async function holdQuotaPlaces<T>(
  parts: QuotaParts & { readonly db: Database },
  { key, places, whenHeld }: HeldPlaces,
  work: (consume: ConsumeQuotaPlaces) => Promise<T>,
): Promise<T> {
  await inTransaction(parts.db, async (tx) => {
    const expiredAt = parts.clock.now()
    await dropPlaces(tx, places, whenHeld ? { expiredAt } : { key, expiredAt })
    for (const place of places) {
      await requireQuota(tx, parts, place)
      const isHeld = await insertPlace(tx, parts, { place, key })
      if (!isHeld && whenHeld) throw whenHeld()
    }
  })
  let isConsumed = false
  const consume: ConsumeQuotaPlaces = async (tx, options) => {
    await dropPlaces(tx, places, { key })
    for (const place of places) await requireQuota(tx, parts, { ...place, ...options })
    isConsumed = true
  }
  try {
    const result = await work(consume)
    if (!isConsumed) await inTransaction(parts.db, (tx) => dropPlaces(tx, places, { key }))
    return result
  } catch (error) {
    // If this fails too, the places expire.
    await inTransaction(parts.db, (tx) => dropPlaces(tx, places, { key })).catch(() => undefined)
    throw error
  }
}

/** Returns false if another request holds a place under this key, which then stays as it is. */
async function insertPlace(
  tx: Tx,
  { clock }: QuotaParts,
  { place: { organizationId, quota }, key }: { readonly place: QuotaPlace; readonly key: string },
): Promise<boolean> {
  const expires_at = addMilliseconds(clock.now(), QUOTA_PLACE_HELD_MS)
  const inserted = await tx
    .insertInto('quota_places')
    .values({ organization_id: organizationId, quota, key, expires_at })
    .onConflict((conflict) => conflict.columns(['organization_id', 'quota', 'key']).doNothing())
    .returning('key')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Drops the places of a key, and those of died processes if `expiredAt` is given. */
async function dropPlaces(
  tx: Tx,
  places: readonly QuotaPlace[],
  { key, expiredAt }: { readonly key?: string; readonly expiredAt?: Date },
): Promise<void> {
  for (const { organizationId, quota } of places) {
    await tx
      .deleteFrom('quota_places')
      .where('organization_id', '=', organizationId)
      .where('quota', '=', quota)
      .where((is) =>
        is.or([
          ...(key === undefined ? [] : [is('key', '=', key)]),
          ...(expiredAt ? [is('expires_at', '<=', expiredAt)] : []),
        ]),
      )
      .execute()
  }
}
