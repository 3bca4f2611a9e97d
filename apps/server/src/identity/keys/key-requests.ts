import { sql } from 'kysely'
import type { Database, Retention } from '../../database/index.ts'
import {
  addMilliseconds,
  type Clock,
  KEY_REQUESTS_BATCH_MAX,
  KEY_REQUESTS_FLUSH_MS,
  KEY_REQUESTS_MAX,
  KEY_REQUESTS_RETENTION_MS,
  type Log,
} from '../../kernel/index.ts'
import { BackgroundWriter } from '../shared/background-writer.ts'

/** A request of a program whose response was sent. It has no text that somebody typed. */
export interface AnsweredRequest {
  readonly organizationId: number
  readonly actorType: 'key' | 'service_account'
  readonly actorId: number
  readonly requestId: string
  readonly method: string
  /** The template: `/v1/wallets/:walletId`. */
  readonly route: string
  /** The same with ids that are numbers: `/v1/wallets/7`. */
  readonly path: string
  readonly status: number
  /** Code of the error; null if it succeeded. */
  readonly code: string | null
  readonly durationMs: number
}

/** Accepts requests of keys; what it does with them never delays or fails the caller. */
export interface KeyRequestRecorder {
  record(request: AnsweredRequest): void
  /** Writes everything recorded and waits for it. */
  flush(): Promise<void>
}

interface Recorded extends AnsweredRequest {
  readonly position: number
  readonly at: Date
}

/**
 * Keeps the latest requests of each key and service account: in memory and, a second later, in the database, so that a
 * request waits for nothing. A flood of one key is {@link KEY_REQUESTS_MAX} rows in one statement a second; beyond
 * {@link KEY_REQUESTS_BATCH_MAX} within a batch, further requests are not recorded. A killed process loses a second.
 */
export class KeyRequests implements KeyRequestRecorder {
  readonly #db: Database
  readonly #clock: Clock
  readonly #writer: BackgroundWriter
  #latest = new Map<string, Recorded[]>()
  #size = 0
  #position = 0

  constructor(parts: { readonly db: Database; readonly clock: Clock; readonly log: Log }) {
    this.#db = parts.db
    this.#clock = parts.clock
    this.#writer = new BackgroundWriter({
      log: parts.log,
      delayMs: KEY_REQUESTS_FLUSH_MS,
      away: 'failed to write API key requests; they are not listed',
      back: 'API key requests are written again',
      write: () => this.#write(),
    })
  }

  record(request: AnsweredRequest): void {
    const actor = `${request.actorType} ${request.organizationId} ${request.actorId}`
    const latest = this.#latest.get(actor) ?? []
    if (latest.length === KEY_REQUESTS_MAX) latest.shift()
    else if (this.#size === KEY_REQUESTS_BATCH_MAX) return
    else this.#size += 1
    this.#position += 1
    latest.push({ ...request, position: this.#position, at: this.#clock.now() })
    this.#latest.set(actor, latest)
    this.#writer.schedule()
  }

  flush(): Promise<void> {
    return this.#writer.flush()
  }

  async #write(): Promise<void> {
    if (this.#size === 0) return
    const batch = [...this.#latest.values()]
    this.#latest = new Map()
    this.#size = 0
    await insertRequests(this.#db, batch.flat())
    await deleteBeyondLatest(
      this.#db,
      batch.map(([first]) => first!),
    )
  }
}

/** Ids follow the order of the responses: a clock that jumps puts no request in the wrong place. */
async function insertRequests(db: Database, requests: readonly Recorded[]): Promise<void> {
  const rows = requests.map(({ organizationId, actorType, actorId, requestId, durationMs, ...same }) => ({
    ...same,
    organization_id: organizationId,
    actor_type: actorType,
    actor_id: actorId,
    request_id: requestId,
    duration_ms: durationMs,
  }))
  await sql`
    insert into key_requests (organization_id, actor_type, actor_id, at, request_id, method, route, path, status, code,
      duration_ms)
    select organization_id, actor_type, actor_id, at, request_id, method, route, path, status, code, duration_ms
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as sent (position bigint, organization_id bigint,
      actor_type text, actor_id bigint, at timestamptz, request_id text, method text, route text, path text,
      status integer, code text, duration_ms integer)
    order by position
  `.execute(db)
}

/**
 * Deletes what is beyond the latest of these keys. It sees what other processes wrote meanwhile, and the last of
 * several at the same time sees all of it; what one of them deletes already is skipped, so they wait for nothing.
 */
async function deleteBeyondLatest(db: Database, actors: readonly AnsweredRequest[]): Promise<void> {
  await sql`
    with beyond as materialized (
      select old.organization_id, old.id
      from unnest(${actors.map((each) => each.organizationId)}::bigint[], ${actors.map((each) => each.actorType)}::text[],
        ${actors.map((each) => each.actorId)}::bigint[]) as actor (organization_id, actor_type, actor_id)
      cross join lateral (
        select sent.organization_id, sent.id from key_requests sent
        where sent.organization_id = actor.organization_id and sent.actor_type = actor.actor_type
          and sent.actor_id = actor.actor_id
        order by sent.id desc offset ${KEY_REQUESTS_MAX} limit ${KEY_REQUESTS_BATCH_MAX}
      ) old
    ), held as (
      select sent.organization_id, sent.id
      from key_requests sent join beyond using (organization_id, id)
      for update of sent skip locked
    )
    delete from key_requests sent using held
    where sent.organization_id = held.organization_id and sent.id = held.id
  `.execute(db)
}

/** Requests that are long past; the latest of a key that is used go as newer ones come. */
export function keyRequestRetention({ clock }: { readonly clock: Clock }): Retention {
  return {
    table: 'key_requests',
    statement: (limit) => sql`
      delete from key_requests where (organization_id, id) in (
        select organization_id, id from key_requests
        where at < ${addMilliseconds(clock.now(), -KEY_REQUESTS_RETENTION_MS)}
        order by at limit ${limit} for update skip locked)`,
  }
}
