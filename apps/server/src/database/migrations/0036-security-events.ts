import { type Kysely, sql } from 'kysely'

/**
 * Refused requests, for the organization that they concern and for the operator. An organization's rows are read by id,
 * which sorts by time; rows without an organization are the operator's.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table security_events (
      -- A UUID of version 7: begins with the time.
      id uuid primary key,
      at timestamptz not null,
      last_at timestamptz not null,
      -- More than 1: events that were merged; columns in which they differ are null.
      count integer not null check (count > 0),
      type text not null,
      organization_id bigint references organizations (id),
      actor_type text check (actor_type in ('user', 'key', 'system')),
      actor_id bigint,
      address text,
      user_agent text,
      route text,
      method text,
      status integer,
      code text,
      reason text,
      request_id text
    );
    create index security_events_of_organization on security_events (organization_id, id)
      where organization_id is not null;
  `.execute(db)
}
