import { sql } from 'kysely'
import type { Database, Retention } from '../../database/index.ts'
import {
  addMilliseconds,
  type Clock,
  KEY_ERROR_FLUSH_MS,
  KEY_ERROR_GROUPS_MAX,
  KEY_ERRORS_RETENTION_MS,
  type Log,
} from '../../kernel/index.ts'
import { BackgroundWriter } from '../shared/background-writer.ts'

/** Which requests count as the same error. */
interface KeyErrorGroup {
  readonly organizationId: number
  readonly keyId: number
  readonly method: string
  /** The template: `/v1/wallets/:walletId`. */
  readonly route: string
  readonly code: string
}

/** What the latest request of a group sent, without text that people typed, and what was wrong with it. */
export interface KeyErrorFacts {
  readonly reason: string | null
  readonly issues: readonly { readonly path: string; readonly message: string }[]
  readonly sent: Readonly<Record<string, unknown>>
}

export interface FailedRequest extends KeyErrorGroup {
  readonly status: number
  readonly requestId: string
  readonly facts: KeyErrorFacts
}

/** Accepts failed requests of keys; what it does with them never delays or fails the caller. */
export interface KeyErrorRecorder {
  record(failed: FailedRequest): void
  /** Writes everything recorded and waits for it. */
  flush(): Promise<void>
}

interface Counted extends FailedRequest {
  readonly count: number
  readonly firstAt: Date
  readonly lastAt: Date
}

/**
 * Counts failed requests of keys in memory and writes them in batches, so that a request waits for nothing. A flood of
 * one error is one row; beyond {@link KEY_ERROR_GROUPS_MAX} kinds within a batch, further kinds are not counted. A killed
 * process loses a second of counts.
 */
export class KeyErrors implements KeyErrorRecorder {
  readonly #db: Database
  readonly #clock: Clock
  readonly #writer: BackgroundWriter
  #groups = new Map<string, Counted>()

  constructor(parts: { readonly db: Database; readonly clock: Clock; readonly log: Log }) {
    this.#db = parts.db
    this.#clock = parts.clock
    this.#writer = new BackgroundWriter({
      log: parts.log,
      delayMs: KEY_ERROR_FLUSH_MS,
      away: 'failed to write API key errors; they are not counted',
      back: 'API key errors are written again',
      write: () => this.#write(),
    })
  }

  record(failed: FailedRequest): void {
    const group = [failed.organizationId, failed.keyId, failed.method, failed.route, failed.code].join(' ')
    const earlier = this.#groups.get(group)
    if (earlier === undefined && this.#groups.size >= KEY_ERROR_GROUPS_MAX) return
    const now = this.#clock.now()
    this.#groups.set(group, {
      ...failed,
      count: (earlier?.count ?? 0) + 1,
      firstAt: earlier?.firstAt ?? now,
      lastAt: now,
    })
    this.#writer.schedule()
  }

  flush(): Promise<void> {
    return this.#writer.flush()
  }

  async #write(): Promise<void> {
    if (this.#groups.size === 0) return
    // In one order, so that two processes that write the same rows cannot deadlock.
    const rows = [...this.#groups.entries()]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, { organizationId, keyId, requestId, firstAt, lastAt, facts, ...same }]) => ({
        ...same,
        organization_id: organizationId,
        key_id: keyId,
        request_id: requestId,
        first_at: firstAt,
        last_at: lastAt,
        facts: JSON.stringify(facts),
      }))
    this.#groups = new Map()
    await sql`
      insert into key_errors as known (organization_id, key_id, method, route, code, status, count, first_at, last_at,
        request_id, facts)
      select failed.* from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as failed (organization_id bigint,
        key_id bigint, method text, route text, code text, status integer, count bigint, first_at timestamptz,
        last_at timestamptz, request_id text, facts text)
      join api_keys key on key.organization_id = failed.organization_id and key.id = failed.key_id
      on conflict (organization_id, key_id, method, route, code) do update set
        status = excluded.status, count = known.count + excluded.count, last_at = excluded.last_at,
        request_id = excluded.request_id, facts = excluded.facts
    `.execute(this.#db)
  }
}

/** Errors that have not happened for long. */
export function keyErrorRetention({ clock }: { readonly clock: Clock }): Retention {
  return {
    table: 'key_errors',
    statement: (limit) => sql`
      delete from key_errors where (organization_id, key_id, method, route, code) in (
        select organization_id, key_id, method, route, code from key_errors
        where last_at < ${addMilliseconds(clock.now(), -KEY_ERRORS_RETENTION_MS)}
        order by last_at limit ${limit} for update skip locked)`,
  }
}
