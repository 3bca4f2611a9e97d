import { type RawBuilder, sql } from 'kysely'
import type { Database, Tx } from '../../database/index.ts'
import { Failure, QUOTA_UNLOCKED_PLACES, QUOTAS, type QuotaLimits, type QuotaName } from '../../kernel/index.ts'

/** How many objects of one kind an organization has at `now`, as a scalar SQL expression. */
export type QuotaUse = (organizationId: number, now: Date) => RawBuilder<number>

export interface QuotaParts {
  /** The operator's limits; {@link QUOTAS} if absent. */
  readonly quotas?: QuotaLimits | undefined
  readonly clock: { now(): Date }
}

export interface QuotaPlace {
  readonly organizationId: number
  readonly quota: QuotaName
  readonly use: QuotaUse
  /** The new object is written already, so that `use` includes it. */
  readonly isCounted?: true
}

export interface QuotaReading {
  readonly limit: number
  readonly used: number
}

/**
 * Requires a free place for one more object, in the transaction that writes it. Near the limit requests take turns until
 * they commit, so two of them never take the same place. Returns the use without the new object, and the limit. Error:
 * CONFLICT with `details.reason` `quota_exceeded`.
 */
export async function requireQuota(tx: Tx, parts: QuotaParts, place: QuotaPlace): Promise<QuotaReading> {
  const { organizationId, quota } = place
  const seen = await readPlace(tx, parts, place)
  if (seen.used + QUOTA_UNLOCKED_PLACES < seen.limit) return seen
  await sql`select pg_advisory_xact_lock(hashtextextended(${`weir quota ${quota} ${organizationId}`}, 0))`.execute(tx)
  const held = await readPlace(tx, parts, place)
  refuseBeyond(place, held)
  return held
}

function refuseBeyond({ quota, isCounted }: QuotaPlace, { limit, used }: QuotaReading): void {
  const others = isCounted ? used - 1 : used
  if (others < limit) return
  throw new Failure('CONFLICT', {
    message: `The organization has reached its quota of ${quota}: ${others} of ${limit}.`,
    details: { reason: 'quota_exceeded', quota, limit, used: others },
  })
}

async function readPlace(db: Database | Tx, parts: QuotaParts, place: QuotaPlace): Promise<QuotaReading> {
  const { organizationId, quota, use } = place
  const readings = await readQuotas(db, parts, organizationId, { [quota]: use })
  return readings[quota]!
}

/** Use and limit of several quotas, in one statement. */
export async function readQuotas(
  db: Database | Tx,
  parts: QuotaParts,
  organizationId: number,
  uses: Readonly<Partial<Record<QuotaName, QuotaUse>>>,
): Promise<Partial<Record<QuotaName, QuotaReading>>> {
  const now = parts.clock.now()
  const counts = Object.entries(uses).map(
    ([quota, use]) => sql`${sql.lit(quota)}::text, (${use(organizationId, now)})::bigint`,
  )
  const { rows } = await sql<{ quotas: Record<string, number>; used: Record<string, number> }>`
    select quotas, jsonb_build_object(${sql.join(counts)}) as used from organizations where id = ${organizationId}
  `.execute(db)
  const { quotas: overrides, used } = rows[0]!
  const limits = parts.quotas ?? QUOTAS
  return Object.fromEntries(
    (Object.keys(uses) as QuotaName[]).map((quota) => [
      quota,
      { limit: overrides[quota] ?? limits[quota], used: used[quota]! },
    ]),
  )
}
