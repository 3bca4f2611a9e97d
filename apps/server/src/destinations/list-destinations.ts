import type { Database } from '../database/index.ts'
import { type Destination, destinationFrom } from './destination.ts'

/** An organization's allow-list. */
export interface DestinationList {
  /** Whether other addresses are refused. */
  readonly enforced: boolean
  /** Newest first. */
  readonly destinations: readonly Destination[]
}

/** The whole allow-list: it has at most `DESTINATIONS_MAX` addresses. */
export async function listDestinations(db: Database, organizationId: number): Promise<DestinationList> {
  const [list, rows] = await Promise.all([
    db
      .selectFrom('destination_lists')
      .select('enforced')
      .where('organization_id', '=', organizationId)
      .executeTakeFirst(),
    db
      .selectFrom('destinations')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .orderBy('id', 'desc')
      .execute(),
  ])
  return { enforced: list?.enforced ?? false, destinations: rows.map(destinationFrom) }
}
