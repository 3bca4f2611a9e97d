import { statement } from '../migration-steps.ts'

/** Places in a quota that requests hold while a partner is called. */
export const steps = [
  statement(`
    create table if not exists quota_places (
      organization_id bigint not null,
      quota text not null,
      key text not null,
      expires_at timestamptz not null,
      primary key (organization_id, quota, key)
    )
  `),
]
