import { sql } from 'kysely'
import type { Database, Retention } from '../../database/index.ts'
import {
  addMilliseconds,
  BRIDGE_IGNORED_EVENTS_RETENTION_MS,
  type Clock,
  type Log,
  type Sealer,
} from '../../kernel/index.ts'

export interface IgnoredEventParts {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  readonly sealer: Sealer
}

export const labelOfIgnoredEvent = (id: string): string => `bridge event ${id}`

/**
 * The reason of an event that has an effect once its chain is configured: it is kept until then. See
 * `deferred-events.ts`.
 */
export const CHAIN_NOT_CONFIGURED = 'its chain is not configured'

/** The reason of a listed payment that could not be applied: it is kept, and tried again, until it is. */
export const NOT_APPLIED = 'it could not be applied'

/** The reasons of events that still wait for their effect. */
export const WAITING_REASONS: readonly string[] = [CHAIN_NOT_CONFIGURED, NOT_APPLIED]

interface IgnoredEvent {
  readonly id: string
  readonly category: string
  readonly type: string
  readonly objectId: string
  readonly reason: string
  readonly body: string
}

/** Stores a partner event that has no effect, and logs it once. */
export async function recordIgnoredEvent(
  { db, clock, log, sealer }: IgnoredEventParts,
  { body, ...ignored }: IgnoredEvent,
): Promise<void> {
  const { id, category, type, objectId, reason } = ignored
  const { numInsertedOrUpdatedRows: isNew } = await db
    .insertInto('ramp_bridge_ignored_events')
    .values({
      event_id: id,
      category,
      type,
      object_id: objectId,
      reason,
      body: sealer.seal(body, labelOfIgnoredEvent(id)),
      received_at: clock.now(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (isNew) log.info(ignored, 'ignored an event of the banking partner')
}

/** Ignored events can be looked up for 90 days; those that wait for their effect stay. */
export function ignoredEventRetention({ clock }: { readonly clock: Clock }): Retention {
  return {
    table: 'ramp_bridge_ignored_events',
    statement: (limit) => sql`
      delete from ramp_bridge_ignored_events where event_id in (
        select event_id from ramp_bridge_ignored_events
        where received_at < ${addMilliseconds(clock.now(), -BRIDGE_IGNORED_EVENTS_RETENTION_MS)}
          and reason <> all(${WAITING_REASONS}::text[])
        order by received_at limit ${limit} for update skip locked)`,
  }
}
