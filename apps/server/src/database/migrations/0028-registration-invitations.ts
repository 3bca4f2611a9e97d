import { type Kysely, sql } from 'kysely'

/** Invitations to register an organization, for services whose registration is not open to everyone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table registration_invitations (
      token_hash bytea primary key,
      email text,
      created_at timestamptz not null,
      expires_at timestamptz not null check (expires_at > created_at),
      used_at timestamptz,
      organization_id bigint references organizations,
      check ((used_at is null) = (organization_id is null))
    );
  `.execute(db)
}
