import { type Kysely, sql } from 'kysely'

/** Who created an object: a user on core, a key on v1 or of an agent. Null for objects of earlier versions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['wallets', 'operational_wallets', 'webhooks', 'ramp_customers', 'ramp_accounts']) {
    await sql`
      alter table ${sql.table(table)}
        add column created_by_type text check (created_by_type in ('user', 'key', 'system')),
        add column created_by_id bigint,
        add check ((created_by_id is not null) = (created_by_type is not null and created_by_type <> 'system'))
    `.execute(db)
  }
}
