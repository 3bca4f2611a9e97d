import { type Kysely, sql } from 'kysely'

/** What an organization allows the service to deposit where; without a row the defaults of the installation apply. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table deposit_limits (
      organization_id bigint primary key references organizations (id),
      limits jsonb not null,
      updated_at timestamptz not null
    );
  `.execute(db)
}
