import { type Kysely, sql } from 'kysely'

/** Indexes unfinished ramp transactions, so that counting them costs nothing for the finished ones. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index ramp_transactions_open on ramp_transactions (created_at)
      where status not in ('completed', 'failed', 'rejected', 'reversed')
  `.execute(db)
}
