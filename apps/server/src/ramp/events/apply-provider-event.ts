import { sql } from 'kysely'
import { inTransaction, type Tx } from '../../database/index.ts'
import type { RampParts } from '../parts.ts'
import type { InboundMessage, ProviderEvent, TransferEvent } from '../provider/port.ts'
import { statusOfPayment } from '../transactions/status-of-payment.ts'
import { applyOnboardingEvent } from './apply-onboarding-event.ts'
import { applyTransferEvent } from './apply-transfer-event.ts'
import type { ApplyEventParts, ProviderEventOutcome } from './outcome.ts'

/**
 * Applies one event of the provider in the caller's transaction. A duplicate has no effect. Whatever order events arrive
 * in, their subject ends in the state of the last event in the provider's order, after passing through every state on the
 * way exactly once.
 */
export async function applyProviderEvent(
  parts: ApplyEventParts,
  tx: Tx,
  reported: ProviderEvent,
): Promise<ProviderEventOutcome | 'duplicate'> {
  // Serializes events of one subject, including the first one, for which there is no row to lock yet.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`weir ramp ${reported.subject}`}, 0))`.execute(tx)
  const processed = await tx
    .selectFrom('ramp_provider_events')
    .select('outcome')
    .where('provider', '=', parts.provider.name)
    .where('event_id', '=', reported.id)
    .executeTakeFirst()
  if (processed) return 'duplicate'
  const event = reported.kind === 'transfer' && reported.cameBack ? await returned(tx, reported) : reported
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
    parts.log.warn({ kind, id, subject, sequence, status, outcome }, 'an event of the banking partner had no effect')
  }
  return outcome
}

/** Decided only here, where no other event of the payout can be applied: before, its arrival may be on its way. */
async function returned(tx: Tx, event: TransferEvent): Promise<TransferEvent> {
  const status = await statusOfPayment(tx, event.subject)
  return status === 'completed' || status === 'reversed' ? { ...event, status: 'reversed' } : event
}

/** Verifies a message of the provider and applies its events; returns how many. Error: UNAUTHORIZED. */
export async function applyProviderMessage(parts: RampParts, message: InboundMessage): Promise<number> {
  const events = await parts.provider.readEvents(message)
  for (const event of events) await inTransaction(parts.db, (tx) => applyProviderEvent(parts, tx, event))
  return events.length
}
