import { type Kysely, sql } from 'kysely'

/** What an API key may do, from where and until when, and who made it. Null, as for every earlier key: no restriction. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table api_keys
      add column permissions text[]
        check (cardinality(permissions) > 0 and permissions <@ array['read', 'plan', 'submit', 'ramp', 'agent']),
      add column allowed_addresses text[] check (cardinality(allowed_addresses) > 0),
      add column expires_at timestamptz,
      add column created_by bigint,
      add column replaced_by bigint,
      add column last_used_address text,
      add foreign key (organization_id, created_by) references users (organization_id, id),
      add foreign key (organization_id, replaced_by) references api_keys (organization_id, id);
  `.execute(db)
}
