import { index, statement } from '../migration-steps.ts'

/**
 * The latest requests of each key and service account. No reference to either: a check for each request would lock
 * their rows every second, and a row lasts for days only.
 */
export const steps = [
  statement(`
    create table if not exists key_requests (
      organization_id bigint not null,
      id bigint generated always as identity,
      actor_type text not null check (actor_type in ('key', 'service_account')),
      actor_id bigint not null,
      at timestamptz not null,
      request_id text not null,
      method text not null,
      route text not null,
      path text not null,
      status integer not null,
      code text,
      duration_ms integer not null,
      primary key (organization_id, id)
    )
  `),
  index('key_requests_of_actor', 'key_requests (organization_id, actor_type, actor_id, id)'),
  index('key_requests_age', 'key_requests (at)'),
]
