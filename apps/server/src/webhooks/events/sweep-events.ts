import { sql } from 'kysely'
import { inTransaction } from '../../database/index.ts'
import { addMilliseconds, EVENTS_RETENTION_MS, EVENTS_SWEEP_BATCH } from '../../kernel/index.ts'
import type { WebhookParts } from '../parts.ts'

/**
 * Deletes events and deliveries older than 30 days, in steps, deliveries first, because they refer to their events.
 * Returns the number of deleted rows.
 */
export async function sweepEvents({ db, clock }: Pick<WebhookParts, 'db' | 'clock'>): Promise<number> {
  const before = addMilliseconds(clock.now(), -EVENTS_RETENTION_MS)
  let swept = 0
  for (;;) {
    const step = await inTransaction(db, async (tx) => {
      const deliveries = await sql`
        delete from webhook_deliveries where created_at < ${before} and id in (
          select id from webhook_deliveries order by id limit ${EVENTS_SWEEP_BATCH})
      `.execute(tx)
      if (deliveries.numAffectedRows) return Number(deliveries.numAffectedRows)
      const events = await sql`
        delete from outbox where relayed_at < ${before} and position in (
          select position from outbox where position is not null order by position limit ${EVENTS_SWEEP_BATCH})
      `.execute(tx)
      return Number(events.numAffectedRows ?? 0n)
    })
    if (step === 0) return swept
    swept += step
  }
}
