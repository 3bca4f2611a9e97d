import { type Kysely, sql } from 'kysely'

/**
 * Who requested an operation, and whether that user may approve it. Operations planned earlier have no requester; any
 * member with the role may approve them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table operations
      add column requested_by_type text check (requested_by_type in ('user', 'key', 'system')),
      add column requested_by_id bigint,
      add column requester_may_approve boolean not null default true,
      add check ((requested_by_id is not null) = (requested_by_type is not null and requested_by_type <> 'system'));
  `.execute(db)
}
