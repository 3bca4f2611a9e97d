import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/index.ts'
import { type Clock, KEY_USAGE_FLUSH_MS, type Log } from '../../kernel/index.ts'
import { BackgroundWriter } from './background-writer.ts'

/** A key that was used, from an address if that is known. */
export interface UsedKey {
  readonly organizationId: number
  readonly keyId: number
  readonly address?: string | null
  /** The key's hash under the current pepper, if it is stored under an older one. */
  readonly rehashed?: { readonly pepperId: string; readonly hash: Buffer }
  /** An agent polls with it. */
  readonly polls?: boolean
  /** It is a secret of a service account, not an API key; `keyId` is the secret's. */
  readonly isAccountSecret?: true
}

interface Use extends UsedKey {
  readonly at: Date
}

/**
 * Records when, and from which address, keys and secrets of service accounts were used, and stores their hash under the current pepper. It writes in the
 * background, so that a request needs only one statement for its key. A use in an organization that is deleted meanwhile is
 * not written: its erasure may be over. A killed process loses what it had not written, which is acceptable for these fields.
 */
export class KeyUsage {
  readonly #db: Database
  readonly #clock: Clock
  readonly #writer: BackgroundWriter
  #uses = new Map<string, Use>()

  constructor(parts: { db: Database; clock: Clock; log: Log }) {
    this.#db = parts.db
    this.#clock = parts.clock
    this.#writer = new BackgroundWriter({
      log: parts.log,
      delayMs: KEY_USAGE_FLUSH_MS,
      away: 'failed to write key usage; retrying at the next use',
      back: 'key usage is written again',
      write: () => this.#write(),
    })
  }

  /** The key was used just now. */
  record(used: UsedKey): void {
    // A poll is recorded after the use that authenticated it.
    const key = `${used.isAccountSecret ? 'secret' : 'key'}:${used.keyId}`
    this.#uses.set(key, { ...this.#uses.get(key), ...used, at: this.#clock.now() })
    this.#writer.schedule()
  }

  /** Writes everything recorded and waits for it: before a list shows `lastUsedAt`, and when the process stops. */
  flush(): Promise<void> {
    return this.#writer.flush()
  }

  async #write(): Promise<void> {
    if (this.#uses.size === 0) return
    const uses = this.#uses
    this.#uses = new Map()
    const all = [...uses.values()]
    try {
      await writeKeys(
        this.#db,
        all.filter((use) => !use.isAccountSecret),
      )
      await writeAccountSecrets(
        this.#db,
        all.filter((use) => use.isAccountSecret),
      )
    } catch (error) {
      for (const [id, use] of uses) if (!this.#uses.has(id)) this.#uses.set(id, use)
      throw error
    }
  }
}

/** The uses as a table. Rows are locked in id order, so that two processes that write the same keys cannot deadlock. */
function tableOf(uses: readonly Use[]): RawBuilder<unknown> {
  const column = (read: (use: Use) => unknown) => uses.map(read)
  return sql`
    select * from unnest(${column((use) => use.organizationId)}::bigint[], ${column((use) => use.keyId)}::bigint[],
      ${column((use) => use.at.toISOString())}::timestamptz[], ${column((use) => use.address ?? null)}::text[],
      ${column((use) => use.rehashed?.hash ?? null)}::bytea[], ${column((use) => use.rehashed?.pepperId ?? null)}::text[],
      ${column((use) => use.polls ?? false)}::boolean[])
      as use (organization_id, id, at, address, hash, pepper_id, polls)
  `
}

async function writeKeys(db: Database, uses: readonly Use[]): Promise<void> {
  if (uses.length === 0) return
  await sql`
    with uses as (${tableOf(uses)}), held as (
      select key.organization_id, key.id, uses.at, uses.address, uses.hash, uses.pepper_id, uses.polls
      from api_keys key join uses using (organization_id, id)
      join organizations organization on organization.id = key.organization_id and organization.deleted_at is null
      order by key.id
      for update of key
    )
    update api_keys key set last_used_at = held.at, last_used_address = held.address,
      last_polled_at = case when held.polls then held.at else key.last_polled_at end,
      key_hash = coalesce(held.hash, key.key_hash), pepper_id = coalesce(held.pepper_id, key.pepper_id)
    from held
    where key.organization_id = held.organization_id and key.id = held.id
      and (key.last_used_at is null or key.last_used_at <= held.at)
  `.execute(db)
}

async function writeAccountSecrets(db: Database, uses: readonly Use[]): Promise<void> {
  if (uses.length === 0) return
  await sql`
    with uses as (${tableOf(uses)}), held as (
      select secret.organization_id, secret.id, uses.at, uses.address, uses.hash, uses.pepper_id
      from service_account_secrets secret join uses using (organization_id, id)
      join organizations organization on organization.id = secret.organization_id and organization.deleted_at is null
      order by secret.id
      for update of secret
    )
    update service_account_secrets secret set last_used_at = held.at, last_used_address = held.address,
      secret_hash = coalesce(held.hash, secret.secret_hash), pepper_id = coalesce(held.pepper_id, secret.pepper_id)
    from held
    where secret.organization_id = held.organization_id and secret.id = held.id
      and (secret.last_used_at is null or secret.last_used_at <= held.at)
  `.execute(db)
}
