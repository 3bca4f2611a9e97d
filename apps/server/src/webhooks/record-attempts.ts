import { sql } from 'kysely'
import type { Database, DeliveryStatus, StoredAttempt } from '../database/index.ts'
import { WEBHOOK_ATTEMPTS_KEPT } from '../kernel/index.ts'

/** What is kept of an attempt, and what becomes of its delivery. */
export interface Attempted {
  readonly deliveryId: number
  readonly attempt: StoredAttempt
  readonly status: DeliveryStatus
  readonly nextAttemptAt: Date | null
}

/** Writes attempts down; resolves when they have committed. */
export type RecordAttempt = (attempted: Attempted) => Promise<void>

interface Waiting {
  readonly attempted: Attempted
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/**
 * Writes attempts of all receivers together: while one statement is under way the next attempts gather, so that a busy
 * moment costs a few statements instead of hundreds.
 */
export function createRecorder(db: Database): RecordAttempt {
  let waiting: Waiting[] = []
  let isWriting = false

  async function writeAll(): Promise<void> {
    isWriting = true
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      try {
        await write(
          db,
          batch.map(({ attempted }) => attempted),
        )
        for (const { resolve } of batch) resolve()
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    isWriting = false
  }

  return (attempted) =>
    new Promise((resolve, reject) => {
      waiting.push({ attempted, resolve, reject })
      if (!isWriting) void writeAll()
    })
}

/** A delivery that was made meanwhile, by a process that was thought dead, stays made: no failure takes that back. */
async function write(db: Database, attempts: readonly Attempted[]): Promise<void> {
  const rows = attempts.map(({ deliveryId, attempt, status, nextAttemptAt }) => ({
    id: deliveryId,
    attempt,
    status,
    next_attempt_at: nextAttemptAt?.toISOString() ?? null,
  }))
  await sql`
    update webhook_deliveries d set
      attempts = case when jsonb_array_length(d.attempts) < ${WEBHOOK_ATTEMPTS_KEPT}::int
        then d.attempts else d.attempts - 0 end || r.attempt,
      tries = d.tries + 1,
      status = case when d.status = 'pending' then r.status else d.status end,
      next_attempt_at = case when d.status = 'pending' then r.next_attempt_at end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r(id bigint, attempt jsonb, status text, next_attempt_at timestamptz)
    where d.id = r.id
  `.execute(db)
}
