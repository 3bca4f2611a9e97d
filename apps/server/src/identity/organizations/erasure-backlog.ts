import type { Database } from '../../database/index.ts'

/** How long the oldest erasure has not ended, in seconds; 0 without one. One that says what it waits for does not count. */
export async function erasureBacklogSeconds(db: Database, now: Date): Promise<number> {
  const { since } = await db
    .selectFrom('organization_erasures')
    .select(({ fn }) => fn.min('requested_at').as('since'))
    .where('finished_at', 'is', null)
    .where('waits_for', 'is', null)
    .executeTakeFirstOrThrow()
  return since === null ? 0 : Math.max(0, (now.getTime() - since.getTime()) / 1_000)
}
