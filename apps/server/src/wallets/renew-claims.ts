import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../database/index.ts'
import { addMilliseconds, EVALUATION_CLAIM_MS } from '../kernel/index.ts'
import type { EvaluationClaim } from './claim-evaluations.ts'

/**
 * Renews claims from `now` on. One that another process has meanwhile stays as it is, and so does one whose wallet was
 * scheduled sooner: it is due, and its holder may still finish. One statement. When it fails, a claim may be renewed or
 * not: `lockClaimed` and `releaseClaims` accept both, and it is not renewed again.
 */
export async function renewClaims(db: Database, all: readonly EvaluationClaim[], now: Date): Promise<void> {
  const claims = all.filter(({ next }) => next === undefined)
  if (claims.length === 0) return
  const next = addMilliseconds(now, EVALUATION_CLAIM_MS)
  const moved = movedTo(next, claims)
  // Before the statement: a plan that commits meanwhile must recognize its claim.
  for (const claim of claims) claim.next = next
  const { rows } = await moved.execute(db)
  const renewed = new Set(rows.map(({ id }) => id))
  for (const claim of claims) {
    if (renewed.has(claim.opWalletId)) claim.until = next
    claim.next = undefined
  }
}

/** Makes wallets due again that were claimed and not looked at. One statement. */
export async function giveBackClaims(db: Database, claims: readonly EvaluationClaim[], now: Date): Promise<void> {
  if (claims.length > 0) await movedTo(now, claims).execute(db)
}

/** Moves `due_at` of the wallets whose claim is held and that nothing scheduled since. */
function movedTo(at: Date, claims: readonly EvaluationClaim[]): RawBuilder<{ readonly id: number }> {
  const rows = claims.map(({ organizationId, opWalletId, until, next }) => ({
    organization_id: organizationId,
    id: opWalletId,
    until: until.toISOString(),
    next: next?.toISOString() ?? null,
  }))
  return sql<{ readonly id: number }>`
    with held as (
      select ow.organization_id, ow.id from operational_wallets ow
      join jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as c(organization_id bigint, id bigint, until timestamptz, next timestamptz)
        on c.organization_id = ow.organization_id and c.id = ow.id
      where ow.due_at = c.until or ow.due_at = c.next
      order by ow.id for update of ow
    )
    update operational_wallets ow set due_at = ${at} from held
    where ow.organization_id = held.organization_id and ow.id = held.id
    returning ow.id
  `
}
