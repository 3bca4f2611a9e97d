import { type Kysely, sql } from 'kysely'

/** How many objects an organization may have by kind, where it differs from the settings. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table organizations
      add column quotas jsonb not null default '{}' check (jsonb_typeof(quotas) = 'object');
  `.execute(db)
}
