import { type Database, labelOfPersonalFields } from '../../src/database/index.ts'
import { createSealer, systemRandomSource } from '../../src/kernel/index.ts'
import { RAMP_KEY } from './ramp-client.ts'

/** The events in the outbox about the organization's objects of a type, oldest first, with their personal fields. */
export async function emittedEvents(
  db: Database,
  organizationId: number,
  objectType: string,
): Promise<{ event: string; data: Record<string, unknown> }[]> {
  const sealer = createSealer(RAMP_KEY, 'events', systemRandomSource)
  const rows = await db
    .selectFrom('outbox')
    .select(['event', 'data', 'object_id as objectId', 'personal'])
    .where('organization_id', '=', organizationId)
    .where('object_type', '=', objectType)
    .orderBy('id')
    .execute()
  return rows.map(({ event, data, objectId, personal }) => {
    if (personal === null) return { event, data }
    const label = labelOfPersonalFields({ organizationId, event, objectType, objectId })
    return { event, data: { ...data, ...JSON.parse(sealer.open(personal, label)) } }
  })
}
