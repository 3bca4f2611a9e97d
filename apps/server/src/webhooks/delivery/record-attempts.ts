import { type Database, type DeliveryStatus, isSharedFailure } from '../../database/index.ts'
import { type AttemptRecord, advanceAttempted } from '../lifecycle/advance-deliveries.ts'

/** Records an attempt; resolves when it has committed, with the status of its delivery, if that still exists. */
export type RecordAttempt = (attempted: AttemptRecord) => Promise<DeliveryStatus | undefined>

interface PendingWrite {
  readonly record: AttemptRecord
  readonly resolve: (status: DeliveryStatus | undefined) => void
  readonly reject: (error: unknown) => void
}

/**
 * Records attempts of all webhooks in batches: while one statement runs, the next attempts collect, so a burst costs a few
 * statements instead of hundreds. One that cannot be written does not fail those of other webhooks, whose messages would
 * be sent again.
 */
export function createAttemptRecorder(db: Database): RecordAttempt {
  let waiting: PendingWrite[] = []
  let isWriting = false

  async function writeAll(): Promise<void> {
    isWriting = true
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      await write(batch)
    }
    isWriting = false
  }

  /** Writes a batch; in halves if that fails, to find the attempts that cannot be written. Never rejects. */
  async function write(batch: readonly PendingWrite[]): Promise<void> {
    try {
      const statuses = await advanceAttempted(
        db,
        batch.map(({ record }) => record),
      )
      for (const { record, resolve } of batch) resolve(statuses.get(record.deliveryId))
    } catch (error) {
      if (batch.length > 1 && !isSharedFailure(error)) {
        const half = Math.ceil(batch.length / 2)
        await write(batch.slice(0, half))
        return await write(batch.slice(half))
      }
      for (const { reject } of batch) reject(error)
    }
  }

  return (record) =>
    new Promise((resolve, reject) => {
      waiting.push({ record, resolve, reject })
      if (!isWriting) void writeAll()
    })
}
