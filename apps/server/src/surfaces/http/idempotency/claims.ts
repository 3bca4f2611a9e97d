import { sql } from 'kysely'
import type { Database, Tx } from '../../../database/index.ts'
import { addMilliseconds, Failure, IDEMPOTENCY_RETENTION_MS } from '../../../kernel/index.ts'

/** How long a claim holds without an answer: twice the longest statement, so only a crashed request loses it. */
const CLAIM_LEASE_MS = 60_000

/** A request as its key remembers it. */
export interface IdempotentRequest {
  readonly organizationId: number
  /** The one profile that the caller sees; `null`: all. A replay shows it no other profile's answer (contract 1). */
  readonly walletProfileId: number | null
  readonly key: string
  readonly method: string
  readonly path: string
  readonly bodyHash: Buffer
  /** Random; names the one request that may answer. */
  readonly claim: string
}

/** What a claim finds: the key is ours, or another request answered, still runs, or was not the same at all. */
export type ClaimResult =
  | { readonly kind: 'claimed' }
  | { readonly kind: 'answered'; readonly status: number; readonly body: string }
  | { readonly kind: 'running' }
  | { readonly kind: 'different' }

/**
 * Claims a key for a request (contract 5). A fresh key costs one statement. A key that was used is looked at without
 * locking, because its row may be locked by the transaction that answers it; only what is over, after 24 hours, or
 * abandoned, its lease gone without an answer, is taken over, and only from the claim that was seen.
 */
export async function claimKey(db: Database, keyed: IdempotentRequest, now: Date): Promise<ClaimResult> {
  for (;;) {
    const fresh = await sql`
      insert into idempotency_keys (organization_id, key, method, path, body_hash, wallet_profile_id, claim, claimed_until,
        created_at)
      values (${keyed.organizationId}, ${keyed.key}, ${keyed.method}, ${keyed.path}, ${keyed.bodyHash},
        ${keyed.walletProfileId}, ${keyed.claim}, ${addMilliseconds(now, CLAIM_LEASE_MS)}, ${now})
      on conflict do nothing
    `.execute(db)
    if (fresh.numAffectedRows === 1n) return { kind: 'claimed' }
    const row = await db
      .selectFrom('idempotency_keys')
      .selectAll()
      .where('organization_id', '=', keyed.organizationId)
      .where('key', '=', keyed.key)
      .executeTakeFirst()
    // Dropped in between: the first request failed on our side, and the key is free again.
    if (row === undefined) continue
    const over = addMilliseconds(row.created_at, IDEMPOTENCY_RETENTION_MS) <= now
    if (!over) {
      const seen = keyed.walletProfileId === null || keyed.walletProfileId === row.wallet_profile_id
      const same = row.method === keyed.method && row.path === keyed.path && row.body_hash.equals(keyed.bodyHash)
      if (!same || !seen) return { kind: 'different' }
      if (row.response_status !== null)
        return { kind: 'answered', status: row.response_status, body: row.response_body ?? '' }
      if (row.claimed_until > now) return { kind: 'running' }
    }
    if (await takeOver(db, keyed, row.claim, over, now)) return { kind: 'claimed' }
  }
}

async function takeOver(
  db: Database,
  keyed: IdempotentRequest,
  seen: string,
  over: boolean,
  now: Date,
): Promise<boolean> {
  const { organizationId, walletProfileId, key, method, path, bodyHash, claim } = keyed
  const result = await sql`
    update idempotency_keys
    set method = ${method}, path = ${path}, body_hash = ${bodyHash}, wallet_profile_id = ${walletProfileId},
      claim = ${claim}, claimed_until = ${addMilliseconds(now, CLAIM_LEASE_MS)}, response_status = null, response_body = null, created_at = ${now}
    where organization_id = ${organizationId} and key = ${key} and claim = ${seen}
      and (response_status is null or ${over})
  `.execute(db)
  return result.numAffectedRows === 1n
}

/** Keeps the answer, if the claim is still ours and has none yet; whether it was. */
export async function storeResponse(
  db: Database | Tx,
  keyed: IdempotentRequest,
  status: number,
  body: string,
): Promise<boolean> {
  const result = await sql`
    update idempotency_keys set response_status = ${status}, response_body = ${body}
    where organization_id = ${keyed.organizationId} and key = ${keyed.key} and claim = ${keyed.claim}
      and response_status is null
  `.execute(db)
  return result.numAffectedRows === 1n
}

/** The same inside the verb's transaction: throws, and so rolls the effect back, when a later request took the key over. */
export async function storeResponseOrFail(
  tx: Tx,
  keyed: IdempotentRequest,
  status: number,
  body: string,
): Promise<void> {
  if (await storeResponse(tx, keyed, status, body)) return
  throw new Failure('IDEMPOTENCY_CONFLICT', { message: 'The idempotency key was taken over by a later request.' })
}

/** Frees the key after a failure on our side, unless its effect was committed after all: then the answer stays. */
export async function releaseClaim(db: Database, keyed: IdempotentRequest): Promise<void> {
  await sql`
    delete from idempotency_keys
    where organization_id = ${keyed.organizationId} and key = ${keyed.key} and claim = ${keyed.claim}
      and response_status is null
  `.execute(db)
}

/** Removes answers older than 24 hours, at most `most` in one call; the number removed. For a periodic job. */
export async function sweepIdempotencyKeys(db: Database, now: Date, most = 10_000): Promise<number> {
  const result = await sql`
    delete from idempotency_keys where (organization_id, key) in (
      select organization_id, key from idempotency_keys where created_at <= ${addMilliseconds(now, -IDEMPOTENCY_RETENTION_MS)}
      order by created_at limit ${most}
    )
  `.execute(db)
  return Number(result.numAffectedRows ?? 0n)
}
