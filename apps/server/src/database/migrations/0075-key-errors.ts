import { index, statement } from '../migration-steps.ts'

/** What goes wrong with a key's requests, one row for each kind of error, with the latest request as its example. */
export const steps = [
  statement(`
    create table if not exists key_errors (
      organization_id bigint not null,
      key_id bigint not null,
      method text not null,
      route text not null,
      code text not null,
      status integer not null,
      count bigint not null,
      first_at timestamptz not null,
      last_at timestamptz not null,
      request_id text not null,
      facts text not null,
      primary key (organization_id, key_id, method, route, code),
      foreign key (organization_id, key_id) references api_keys (organization_id, id) on delete cascade
    )
  `),
  index('key_errors_latest', 'key_errors (organization_id, last_at)'),
  index('key_errors_age', 'key_errors (last_at)'),
]
