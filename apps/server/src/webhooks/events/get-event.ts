import { sql } from 'kysely'
import { Failure } from '../../kernel/index.ts'
import {
  type EventReader,
  type EventScope,
  eventOf,
  isVisible,
  type PublishedEvent,
  type ReadableEvent,
} from './list-events.ts'

/** One event by its id, if the scope lists it: an event is published after its commit. Error: NOT_FOUND. */
export async function getEvent(reader: EventReader, scope: EventScope, eventId: number): Promise<PublishedEvent> {
  const { rows } = await sql<ReadableEvent>`
    select id, body, personal, event, object_type as "objectType", object_id as "objectId" from outbox
    where organization_id = ${scope.organizationId} and id = ${eventId} and position is not null and ${isVisible(scope)}
  `.execute(reader.db)
  if (rows[0] === undefined) throw new Failure('NOT_FOUND', { message: 'The event does not exist.' })
  return eventOf(reader, scope, rows[0])
}
