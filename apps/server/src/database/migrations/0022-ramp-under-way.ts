import { type Kysely, sql } from 'kysely'

/** Ramp transactions that are under way, so that counting them at every look costs nothing for those that ended. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index ramp_transactions_open on ramp_transactions (created_at)
      where status not in ('completed', 'failed', 'rejected', 'reversed')
  `.execute(db)
}
