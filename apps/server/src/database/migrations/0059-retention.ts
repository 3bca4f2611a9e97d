import { index, statement } from '../migration-steps.ts'

/** Old rows are found by an index, and a reader of events learns that some were deleted before it came for them. */
export const steps = [
  statement(`
    create table if not exists deleted_events (
      organization_id bigint primary key,
      -- The newest event that was deleted by its age.
      last_event_id bigint not null
    )
  `),
  index('refresh_tokens_by_age', 'refresh_tokens (expires_at)'),
  index('sessions_by_use', 'sessions (last_used_at)'),
  index('login_addresses_by_age', 'login_addresses (last_at)'),
  index('mails_ended', 'mails (created_at) where next_attempt_at is null'),
  index('member_invitations_by_age', 'member_invitations (expires_at)'),
]
