import type { Tx } from './in-transaction.ts'

/** Something that happened, for whoever listens: webhooks, the rebalancer, snapshots. */
export interface NewEvent {
  readonly organizationId: number
  /** `operation.completed` and the like (contract 12). */
  readonly event: string
  readonly objectType: string
  readonly objectId: number
  /** What the listener needs to know; plain JSON, so amounts are text in it. */
  readonly data: Record<string, unknown>
  readonly at: Date
}

/** An event as the outbox keeps it: facts of its moment, which later changes would overwrite. */
export interface OutboxEvent {
  readonly id: number
  readonly organizationId: number
  readonly data: Record<string, unknown>
}

/** What is told of it to the world, and whose wallet it is about (null: there is no wallet in it). */
export interface EventPayload {
  readonly data: Record<string, unknown>
  readonly walletProfileId: number | null
}

/**
 * Writes events into the outbox with the state change that they tell of, in its transaction: no event without its
 * change, no change without its event (contract 12). One statement for all of them, and none for an empty list.
 * Returns their ids, in the order of the list.
 */
export async function emit(tx: Tx, events: readonly NewEvent[]): Promise<number[]> {
  if (events.length === 0) return []
  const values = events.map((event) => ({
    organization_id: event.organizationId,
    event: event.event,
    object_type: event.objectType,
    object_id: event.objectId,
    data: JSON.stringify(event.data),
    created_at: event.at,
  }))
  const rows = await tx.insertInto('outbox').values(values).returning('id').execute()
  return rows.map(({ id }) => id)
}
