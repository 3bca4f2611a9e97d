import { sql } from 'kysely'
import type { Tx } from '../handles.ts'

/** Objects of an organization whose events lose their personal fields. */
export interface ErasedObjects {
  readonly organizationId: number
  readonly objectType: string
  /** All objects of the type if absent. */
  readonly objectIds?: readonly number[]
}

/**
 * Destroys the personal fields of stored events: sealed ones, and the plain-text names that versions before sealing
 * stored. The events stay, with null in their place, and are delivered so.
 */
export async function eraseEventFields(
  tx: Tx,
  { organizationId, objectType, objectIds }: ErasedObjects,
): Promise<void> {
  const isObject = objectIds === undefined ? sql`true` : sql`object_id = any(${[...objectIds]}::bigint[])`
  const isErased = sql`organization_id = ${organizationId} and object_type = ${objectType} and ${isObject}`
  await sql`update outbox set personal = null where ${isErased} and personal is not null`.execute(tx)
  for (const field of ['name', 'ramp_recipient_name']) {
    await sql`
      update outbox set data = jsonb_set(data, array[${field}], 'null'),
        body = jsonb_set(body::jsonb, array['data', ${field}], 'null')::text
      where ${isErased} and data ->> ${field} is not null
    `.execute(tx)
  }
}
