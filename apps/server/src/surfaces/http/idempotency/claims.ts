import { sql } from 'kysely'
import type { Database, Retention, Tx } from '../../../database/index.ts'
import {
  addMilliseconds,
  type Clock,
  Failure,
  IDEMPOTENCY_CLAIM_MS,
  IDEMPOTENCY_RETENTION_MS,
} from '../../../kernel/index.ts'

/** The parts of a request that are stored with its idempotency key. */
export interface IdempotentRequest {
  readonly organizationId: number
  /** The caller's wallet profile; `null` for all. A replay never crosses profiles (contract 1). */
  readonly walletProfileId: number | null
  readonly key: string
  readonly method: string
  readonly path: string
  readonly bodyHash: Buffer
  /** The body's hashes under keys that are no longer current. */
  readonly olderBodyHashes: readonly Buffer[]
  /** Random; identifies the one request that may store the response. */
  readonly claim: string
}

/** The key was claimed, or another request has completed, is still running, or differs from this one. */
export type ClaimResult =
  | { readonly kind: 'claimed' }
  | { readonly kind: 'answered'; readonly status: number; readonly body: string | Buffer }
  | { readonly kind: 'running' }
  | { readonly kind: 'different' }

/**
 * Claims a key for a request (contract 5). A new key costs one statement. A used key is read without a lock, because
 * the transaction that stores its response may hold the row. A claim is taken over only if it has expired (24 hours) or
 * was abandoned (its lease ended without a response), and only if it has not changed since it was read.
 */
export async function claimKey(db: Database, keyed: IdempotentRequest, now: Date): Promise<ClaimResult> {
  for (;;) {
    const fresh = await sql`
      insert into idempotency_keys (organization_id, key, method, path, body_hash, wallet_profile_id, claim, claimed_until,
        created_at)
      values (${keyed.organizationId}, ${keyed.key}, ${keyed.method}, ${keyed.path}, ${keyed.bodyHash},
        ${keyed.walletProfileId}, ${keyed.claim}, ${addMilliseconds(now, IDEMPOTENCY_CLAIM_MS)}, ${now})
      on conflict do nothing
    `.execute(db)
    if (fresh.numAffectedRows === 1n) return { kind: 'claimed' }
    const row = await db
      .selectFrom('idempotency_keys')
      .selectAll()
      .where('organization_id', '=', keyed.organizationId)
      .where('key', '=', keyed.key)
      .executeTakeFirst()
    // The row was deleted in between: the first request failed with a server error and released the key.
    if (row === undefined) continue
    const expired = addMilliseconds(row.created_at, IDEMPOTENCY_RETENTION_MS) <= now
    if (!expired) {
      const visible = keyed.walletProfileId === null || keyed.walletProfileId === row.wallet_profile_id
      const hasBody = [keyed.bodyHash, ...keyed.olderBodyHashes].some((hash) => row.body_hash.equals(hash))
      const same = row.method === keyed.method && row.path === keyed.path && hasBody
      if (!same || !visible) return { kind: 'different' }
      if (row.response_status !== null)
        return { kind: 'answered', status: row.response_status, body: row.sealed_body ?? row.response_body ?? '' }
      if (row.claimed_until > now) return { kind: 'running' }
    }
    if (await takeOver(db, keyed, { previousClaim: row.claim, expired, now })) return { kind: 'claimed' }
  }
}

async function takeOver(
  db: Database,
  keyed: IdempotentRequest,
  { previousClaim, expired, now }: { readonly previousClaim: string; readonly expired: boolean; readonly now: Date },
): Promise<boolean> {
  const { organizationId, walletProfileId, key, method, path, bodyHash, claim } = keyed
  const result = await sql`
    update idempotency_keys
    set method = ${method}, path = ${path}, body_hash = ${bodyHash}, wallet_profile_id = ${walletProfileId},
      claim = ${claim}, claimed_until = ${addMilliseconds(now, IDEMPOTENCY_CLAIM_MS)}, response_status = null, response_body = null, sealed_body = null,
      created_at = ${now}
    where organization_id = ${organizationId} and key = ${key} and claim = ${previousClaim}
      and (response_status is null or ${expired})
  `.execute(db)
  return result.numAffectedRows === 1n
}

/**
 * Stores the response, sealed or in plain text, if this request still holds the claim and none is stored yet. Returns
 * whether it was stored.
 */
export async function storeResponse(
  db: Database | Tx,
  keyed: IdempotentRequest,
  status: number,
  body: string | Buffer,
): Promise<boolean> {
  const [clear, sealed] = typeof body === 'string' ? [body, null] : [null, body]
  const result = await sql`
    update idempotency_keys set response_status = ${status}, response_body = ${clear}, sealed_body = ${sealed}
    where organization_id = ${keyed.organizationId} and key = ${keyed.key} and claim = ${keyed.claim}
      and response_status is null
  `.execute(db)
  return result.numAffectedRows === 1n
}

/**
 * The same in the verb's transaction. Throws NOT_READY if a repetition took the key over, which rolls the effect back:
 * this process was frozen for longer than its claim. What the request did before its transaction, such as a broadcast,
 * stays. A further repetition gets the other one's response.
 */
export async function storeResponseOrFail(
  tx: Tx,
  keyed: IdempotentRequest,
  status: number,
  body: string | Buffer,
): Promise<void> {
  if (await storeResponse(tx, keyed, status, body)) return
  throw new Failure('NOT_READY', {
    message:
      'The request took too long, and a repetition with the same key is running. Repeat it with the same key to learn its result.',
  })
}

/**
 * Extends the claims of requests that still run. A row that is locked is about to get its response, or to be taken over.
 */
export async function renewClaims(db: Database, running: readonly IdempotentRequest[], now: Date): Promise<void> {
  await sql`
    update idempotency_keys k set claimed_until = ${addMilliseconds(now, IDEMPOTENCY_CLAIM_MS)}
    from (
      select k.organization_id, k.key, k.claim from idempotency_keys k
      join unnest(${running.map((one) => one.organizationId)}::bigint[], ${running.map((one) => one.key)}::text[],
        ${running.map((one) => one.claim)}::text[]) as mine(organization_id, key, claim)
        on k.organization_id = mine.organization_id and k.key = mine.key and k.claim = mine.claim
      where k.response_status is null
      for no key update of k skip locked
    ) live
    where k.organization_id = live.organization_id and k.key = live.key and k.claim = live.claim
  `.execute(db)
}

/** Releases the key after a server error. If the effect was committed after all, the stored response stays. */
export async function releaseClaim(db: Database, keyed: IdempotentRequest): Promise<void> {
  await sql`
    delete from idempotency_keys
    where organization_id = ${keyed.organizationId} and key = ${keyed.key} and claim = ${keyed.claim}
      and response_status is null
  `.execute(db)
}

/** Keys with their responses, 24 hours after the request (contract 5). */
export function idempotencyKeyRetention({ clock }: { readonly clock: Clock }): Retention {
  return {
    table: 'idempotency_keys',
    statement: (limit) => sql`
      delete from idempotency_keys where (organization_id, key) in (
        select organization_id, key from idempotency_keys
        where created_at <= ${addMilliseconds(clock.now(), -IDEMPOTENCY_RETENTION_MS)}
        order by created_at limit ${limit} for update skip locked)`,
  }
}
