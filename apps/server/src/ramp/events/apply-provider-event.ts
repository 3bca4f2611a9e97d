import { sql } from 'kysely'
import { inTransaction, type Tx } from '../../database/index.ts'
import type { RampParts } from '../parts.ts'
import type { InboundMessage, ProviderEvent } from '../provider/port.ts'
import { applyOnboardingEvent } from './apply-onboarding-event.ts'
import { applyTransferEvent } from './apply-transfer-event.ts'

/**
 * What became of an event: `applied` changed something or confirmed what is; `overtaken` came after a later one;
 * `contradicts` says what cannot follow; `unknown` is about nothing of ours.
 */
export type ProviderEventOutcome = 'applied' | 'overtaken' | 'contradicts' | 'unknown'
export type ApplyEventParts = Pick<RampParts, 'clock' | 'log' | 'provider'>

/**
 * Takes one event of the provider into the books, in the caller's transaction. The same event twice does nothing the
 * second time. Whatever the order in which events come, what they are about ends in the state that the last one in the
 * provider's order says, and has passed through every state on the way there once.
 */
export async function applyProviderEvent(
  parts: ApplyEventParts,
  tx: Tx,
  event: ProviderEvent,
): Promise<ProviderEventOutcome | 'duplicate'> {
  // Events about one thing are taken one after the other, also the first ones, for which there is no row to lock yet.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`weir ramp ${event.subject}`}, 0))`.execute(tx)
  const known = await tx
    .selectFrom('ramp_provider_events')
    .select('outcome')
    .where('provider', '=', parts.provider.name)
    .where('event_id', '=', event.id)
    .executeTakeFirst()
  if (known) return 'duplicate'
  const outcome = await (event.kind === 'onboarding'
    ? applyOnboardingEvent(parts, tx, event)
    : applyTransferEvent(parts, tx, event))
  await tx
    .insertInto('ramp_provider_events')
    .values({
      provider: parts.provider.name,
      event_id: event.id,
      subject: event.subject,
      sequence: event.sequence,
      status: event.status,
      outcome,
      received_at: parts.clock.now(),
    })
    .execute()
  if (outcome === 'contradicts' || outcome === 'unknown') {
    const { kind, id, subject, sequence, status } = event
    parts.log.warn({ kind, id, subject, sequence, status, outcome }, 'an event of the banking provider changes nothing')
  }
  return outcome
}

/** Takes what came in from outside and is proved to be the provider's. Error: UNAUTHORIZED. */
export async function applyProviderMessage(parts: RampParts, message: InboundMessage): Promise<number> {
  const events = await parts.provider.readEvents(message)
  for (const event of events) await inTransaction(parts.db, (tx) => applyProviderEvent(parts, tx, event))
  return events.length
}
