import { type Database, inTransaction } from '../../database/index.ts'
import { lockCatalogue, SEEDS_REVISION, strategyRow, type VenueSeed, venueRow } from './seed-catalogue.ts'

/**
 * Adds strategies that the catalogue does not have, and changes nothing else: a strategy that it has stays as it is,
 * whatever the seed says. A deprecated venue that gets an active strategy becomes active. Idempotent.
 */
export async function addStrategies(db: Database, venues: readonly VenueSeed[]): Promise<void> {
  if (venues.length === 0) return
  await inTransaction(db, async (tx) => {
    await lockCatalogue(tx)
    for (const venue of venues) {
      await tx
        .insertInto('venues')
        .values(venueRow(venue))
        .onConflict((conflict) => conflict.column('key').doNothing())
        .execute()
      const { id } = await tx.selectFrom('venues').select('id').where('key', '=', venue.key).executeTakeFirstOrThrow()
      const added = await tx
        .insertInto('strategies')
        .values(
          venue.strategies.map((seed) => ({ ...strategyRow(seed, venue, id), catalogue_revision: SEEDS_REVISION })),
        )
        .onConflict((conflict) => conflict.column('key').doNothing())
        .returning('status')
        .execute()
      if (added.some(({ status }) => status !== 'deprecated'))
        await tx.updateTable('venues').set({ status: 'active' }).where('id', '=', id).execute()
    }
  })
}
