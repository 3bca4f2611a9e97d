import type { EventPayload, OutboxEvent } from './emit.ts'

/** What is looked up about an event when it is told, beside what the outbox kept of it. */
export interface EventContextRow {
  readonly event_id: number
  readonly wallet_profile_id: number
}

/** Events as they are told, by id, each with the facts about it. An event of which there are none is not told. */
export function buildEventPayloads<Facts extends EventContextRow>(
  events: readonly OutboxEvent[],
  rows: readonly Facts[],
  publicData: (kept: OutboxEvent['data'], facts: Facts) => EventPayload['data'],
): ReadonlyMap<number, EventPayload> {
  const factsOf = new Map(rows.map((facts) => [facts.event_id, facts]))
  const told = new Map<number, EventPayload>()
  for (const { id, data } of events) {
    const facts = factsOf.get(id)
    if (facts) told.set(id, { data: publicData(data, facts), walletProfileId: facts.wallet_profile_id })
  }
  return told
}
