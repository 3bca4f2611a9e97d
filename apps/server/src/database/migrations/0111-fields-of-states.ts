import { statement } from '../migration-steps.ts'

/** What each state of a circuit breaker, and of a customer, promises of its other columns; readers rely on it. */
export const steps = [
  statement(`
    alter table circuit_breakers drop constraint if exists circuit_breakers_state_fields,
      add constraint circuit_breakers_state_fields check (
        (state = 'closed' or opened_at is not null) and (state <> 'recovering' or fine_since is not null)) not valid
  `),
  statement('alter table circuit_breakers validate constraint circuit_breakers_state_fields'),
  statement(`
    alter table ramp_customers drop constraint if exists ramp_customers_state_fields,
      add constraint ramp_customers_state_fields check (erased_at is null or archived_at is not null) not valid
  `),
  statement('alter table ramp_customers validate constraint ramp_customers_state_fields'),
]
