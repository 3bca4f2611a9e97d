import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../handles.ts'

/** Objects of an organization whose events lose their personal fields. */
export interface ErasedObjects {
  readonly organizationId: number
  readonly objectType: string
  readonly objectIds: readonly number[]
}

/**
 * Destroys the personal fields of stored events: sealed ones, and the plain-text names that versions before sealing
 * stored. The events stay, with null in their place, and are delivered so.
 */
export async function eraseEventFields(
  tx: Tx,
  { organizationId, objectType, objectIds }: ErasedObjects,
): Promise<void> {
  const isOfObjects = sql`organization_id = ${organizationId} and object_type = ${objectType}
    and object_id = any(${[...objectIds]}::bigint[])`
  // Two branches, each with an index of the organization: without them, all events of all organizations are read.
  const areOfObjects = (condition: RawBuilder<unknown>) => sql`organization_id = ${organizationId} and id in (
    select id from outbox where position is not null and ${isOfObjects} and ${condition}
    union all select id from outbox where relayed_at is null and ${isOfObjects} and ${condition})`
  await sql`update outbox set personal = null where ${areOfObjects(sql`personal is not null`)}`.execute(tx)
  for (const field of ['name', 'ramp_recipient_name']) {
    await sql`
      update outbox set data = jsonb_set(data, array[${field}], 'null'),
        body = jsonb_set(body::jsonb, array['data', ${field}], 'null')::text
      where ${areOfObjects(sql`data ->> ${field} is not null`)}
    `.execute(tx)
  }
}
