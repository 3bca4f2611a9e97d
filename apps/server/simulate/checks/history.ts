import type { SimulationRun } from '../simulation-run.ts'
import { Violation } from '../violation.ts'

/** No id of an event is issued twice, although the database that went back no longer has the lost ones (ADR 132). */
export async function checkHistory({ database, lostEvents }: SimulationRun): Promise<void> {
  if (!lostEvents) return
  const { after, until } = lostEvents
  const { rows } = await database.reader.query<{ id: number; event: string }>({
    name: 'events issued again',
    text: 'select id, event from outbox where id > $1 and id <= $2 order by id limit 1',
    values: [after, until],
  })
  if (rows[0])
    throw new Violation(
      `event ${rows[0].id} was issued before the database went back in time, and again: ${rows[0].event}`,
    )
}
