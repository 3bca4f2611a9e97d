import type { Database, DeliveryStatus } from '../../database/index.ts'
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
        const statuses = await advanceAttempted(
          db,
          batch.map(({ record }) => record),
        )
        for (const { record, resolve } of batch) resolve(statuses.get(record.deliveryId))
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
