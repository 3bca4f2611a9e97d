import { type Kysely, sql } from 'kysely'

/**
 * The erasure of an organization is a row that says how far it is, so that a crash resumes and its owner can follow it
 * after their account is gone. Mails name their organization, so that an erasure finds those that wait.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table organization_erasures (
      organization_id bigint primary key references organizations (id),
      requested_at timestamptz not null,
      receipt_hash bytea unique,
      step text,
      erased jsonb not null default '{}' check (jsonb_typeof(erased) = 'object'),
      waits_for text,
      finished_at timestamptz
    );
    create index organization_erasures_open on organization_erasures (requested_at) where finished_at is null;

    alter table mails add column organization_id bigint;
    create index mails_of_organization on mails (organization_id) where organization_id is not null;
  `.execute(db)
}
