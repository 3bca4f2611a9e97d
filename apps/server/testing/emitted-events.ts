import type { Database } from '../src/database/index.ts'

/** The events in the outbox about the organization's objects of a type, oldest first. */
export async function emittedEvents(
  db: Database,
  organizationId: number,
  objectType: string,
): Promise<{ event: string; data: Record<string, unknown> }[]> {
  return db
    .selectFrom('outbox')
    .select(['event', 'data'])
    .where('organization_id', '=', organizationId)
    .where('object_type', '=', objectType)
    .orderBy('id')
    .execute()
}
