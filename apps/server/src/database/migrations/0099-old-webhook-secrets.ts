import { statement } from '../migration-steps.ts'

/**
 * Old secrets of a webhook that sign until the time that their rotation promised, other than the latest, which earlier
 * versions read in `webhooks.previous_secret`.
 */
export const steps = [
  statement(`
    create table if not exists webhook_old_secrets (
      organization_id bigint not null,
      id bigint generated always as identity,
      webhook_id bigint not null,
      secret bytea not null,
      valid_until timestamptz not null,
      primary key (organization_id, webhook_id, id),
      foreign key (organization_id, webhook_id) references webhooks (organization_id, id)
    )
  `),
]
