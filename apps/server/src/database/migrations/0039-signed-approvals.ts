import { type Kysely, sql } from 'kysely'

/**
 * Approvals that approvers sign with their passkeys, where the organization requires it; mails to those who may approve;
 * and logins that began with single sign-on, which single sign-on does not end. Requests that wait already cause no mail.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table organizations
      add column signed_approvals boolean not null default false,
      add column approval_mails boolean not null default true;
    alter table users add column approval_mails boolean not null default true;

    alter table operation_approvals
      add column credential_id bytea,
      add column authenticator_data bytea,
      add column client_data bytea,
      add column signature bytea,
      add constraint operation_approvals_signed check (
        num_nulls(credential_id, authenticator_data, client_data, signature) in (0, 4)
        and (signature is null or decision = 'approve')
      );

    alter table operations add column approvers_notified_at timestamptz;
    update operations set approvers_notified_at = updated_at where state = 'PENDING_APPROVAL';
    create index operations_to_notify on operations (id)
      where state = 'PENDING_APPROVAL' and approvers_notified_at is null;

    alter table change_requests add column approvers_notified_at timestamptz;
    update change_requests set approvers_notified_at = created_at where ended_at is null;
    create index change_requests_to_notify on change_requests (id)
      where state = 'requested' and approvers_notified_at is null;

    alter table factor_challenges
      drop constraint factor_challenges_purpose_check,
      add constraint factor_challenges_purpose_check
        check (purpose in ('login', 'sso_login', 'sign_in', 'step_up', 'enroll'));
  `.execute(db)
}
