import { type Kysely, sql } from 'kysely'

/** Who simulated a payment in the sandbox. Null for real payments, and for those of earlier versions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['ramp_transactions', 'ramp_sandbox_deposits']) {
    await sql`
      alter table ${sql.table(table)}
        add column created_by_type text check (created_by_type in ('user', 'key', 'system')),
        add column created_by_id bigint,
        add check ((created_by_id is not null) = (created_by_type is not null and created_by_type <> 'system'))
    `.execute(db)
  }
}
