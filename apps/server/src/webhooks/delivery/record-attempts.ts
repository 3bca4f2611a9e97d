import { sql } from 'kysely'
import type { Database, DeliveryStatus, StoredAttempt } from '../../database/index.ts'
import { WEBHOOK_ATTEMPTS_STORED_MAX } from '../../kernel/index.ts'

/** An attempt and the resulting status of its delivery. */
interface AttemptRecord {
  readonly deliveryId: number
  readonly attempt: StoredAttempt
  readonly status: DeliveryStatus
  readonly nextAttemptAt: Date | null
}

/** Records an attempt; resolves when it has committed. */
export type RecordAttempt = (attempted: AttemptRecord) => Promise<void>

interface PendingWrite {
  readonly record: AttemptRecord
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/**
 * Records attempts of all webhooks in batches: while one statement runs, the next attempts collect, so a burst costs a few
 * statements instead of hundreds.
 */
export function createAttemptRecorder(db: Database): RecordAttempt {
  let waiting: PendingWrite[] = []
  let isWriting = false

  async function writeAll(): Promise<void> {
    isWriting = true
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      try {
        await writeAttempts(
          db,
          batch.map(({ record }) => record),
        )
        for (const { resolve } of batch) resolve()
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    isWriting = false
  }

  return (record) =>
    new Promise((resolve, reject) => {
      waiting.push({ record, resolve, reject })
      if (!isWriting) void writeAll()
    })
}

/** A failure does not overwrite a delivery that another process, considered dead, has completed meanwhile. */
async function writeAttempts(db: Database, attempts: readonly AttemptRecord[]): Promise<void> {
  const rows = attempts.map(({ deliveryId, attempt, status, nextAttemptAt }) => ({
    id: deliveryId,
    attempt,
    status,
    next_attempt_at: nextAttemptAt?.toISOString() ?? null,
  }))
  await sql`
    update webhook_deliveries d set
      attempts = case when jsonb_array_length(d.attempts) < ${WEBHOOK_ATTEMPTS_STORED_MAX}::int
        then d.attempts else d.attempts - 0 end || r.attempt,
      attempt_count = d.attempt_count + 1,
      status = case when d.status = 'pending' then r.status else d.status end,
      next_attempt_at = case when d.status = 'pending' then r.next_attempt_at end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r(id bigint, attempt jsonb, status text, next_attempt_at timestamptz)
    where d.id = r.id
  `.execute(db)
}
