import { type Kysely, sql } from 'kysely'

/**
 * Mail: an outbox, tokens that prove an address or reset a password, and invitations of members. Addresses of members
 * from before are unproved.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table users add column email_verified_at timestamptz;

    create table mails (
      id bigint generated always as identity primary key,
      kind text not null,
      recipient bytea not null,
      content bytea,
      attempts integer not null default 0,
      next_attempt_at timestamptz,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      sent_at timestamptz,
      failure text,
      check ((content is null) = (next_attempt_at is null))
    );
    create index mails_due on mails (next_attempt_at) where next_attempt_at is not null;
    create index mails_by_recipient on mails (recipient, created_at);

    create table sandbox_mails (
      id bigint generated always as identity primary key,
      recipient text not null,
      subject text not null,
      text_body text not null,
      html_body text not null,
      created_at timestamptz not null
    );

    create table address_requests (
      id bigint generated always as identity primary key,
      content bytea not null,
      created_at timestamptz not null
    );

    create table account_tokens (
      token_hash bytea primary key,
      purpose text not null check (purpose in ('password_reset', 'email_verification', 'registration')),
      organization_id bigint,
      user_id bigint,
      email text not null,
      registration bytea,
      created_at timestamptz not null,
      expires_at timestamptz not null check (expires_at > created_at),
      used_at timestamptz,
      foreign key (organization_id, user_id) references users (organization_id, id),
      check ((purpose = 'registration') = (registration is not null)),
      check ((purpose = 'registration') = (user_id is null)),
      check ((organization_id is null) = (user_id is null))
    );
    create index account_tokens_by_user on account_tokens (organization_id, user_id) where used_at is null;
    create index account_tokens_by_age on account_tokens (expires_at);

    create table member_invitations (
      organization_id bigint not null references organizations (id),
      id bigint generated always as identity unique,
      email text not null,
      role text not null check (role in ('owner', 'admin', 'approver', 'viewer')),
      token_hash bytea not null unique,
      invited_by bigint not null,
      created_at timestamptz not null,
      expires_at timestamptz not null check (expires_at > created_at),
      revoked_at timestamptz,
      accepted_at timestamptz,
      user_id bigint,
      primary key (organization_id, id),
      foreign key (organization_id, invited_by) references users (organization_id, id),
      foreign key (organization_id, user_id) references users (organization_id, id),
      check ((accepted_at is null) = (user_id is null)),
      check (accepted_at is null or revoked_at is null)
    );
    create index member_invitations_open on member_invitations (organization_id, email)
      where accepted_at is null and revoked_at is null;
  `.execute(db)
}
