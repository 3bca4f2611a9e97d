import { type Kysely, sql } from 'kysely'

/** Which process runs which periodic job: leases by the clock of the database, with a token that fences old holders. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table workers (
      id integer generated always as identity primary key,
      name text not null,
      started_at timestamptz not null,
      expires_at timestamptz not null,
      jobs jsonb not null,
      progress jsonb not null
    );
    create table job_leases (
      job text primary key,
      worker_id integer,
      token bigint not null,
      since timestamptz not null
    );
  `.execute(db)
}
