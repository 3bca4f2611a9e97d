import type { EventPayload, OutboxEvent } from './emit.ts'

/** Data that is read about an event when it is published, in addition to its outbox data. */
export interface EventContextRow {
  readonly event_id: number
  readonly wallet_profile_id: number
}

/** The payloads of events by id, each combined with its row. An event without a row has no payload. */
export function buildEventPayloads<Facts extends EventContextRow>(
  events: readonly OutboxEvent[],
  rows: readonly Facts[],
  publicData: (stored: OutboxEvent['data'], row: Facts) => EventPayload['data'],
): ReadonlyMap<number, EventPayload> {
  const rowOf = new Map(rows.map((row) => [row.event_id, row]))
  const payloads = new Map<number, EventPayload>()
  for (const { id, data } of events) {
    const row = rowOf.get(id)
    if (row) payloads.set(id, { data: publicData(data, row), walletProfileId: row.wallet_profile_id })
  }
  return payloads
}
