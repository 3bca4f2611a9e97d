import { index, statement } from '../migration-steps.ts'

/**
 * Events that could not be published. Each is tried again alone, and the later events of its object wait for it; all
 * others are published meanwhile.
 */
export const steps = [
  statement(`
    create table if not exists held_events (
      organization_id bigint not null,
      event_id bigint not null,
      object_type text not null,
      object_id bigint not null,
      since timestamptz not null,
      attempts integer not null,
      next_attempt_at timestamptz not null,
      error text not null,
      primary key (organization_id, event_id),
      foreign key (organization_id, event_id) references outbox (organization_id, id) on delete cascade
    )
  `),
  index('held_events_of_object', 'held_events (organization_id, object_type, object_id, event_id)'),
  index('held_events_due', 'held_events (next_attempt_at)'),
]
