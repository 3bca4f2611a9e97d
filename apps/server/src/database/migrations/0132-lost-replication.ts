import { statement } from '../migration-steps.ts'

/**
 * Whether a standby has ever acknowledged commits of this database. Patroni empties `synchronous_standby_names` when it
 * loses the last standby; without this, the server then looks like one that never had any.
 */
export const steps = [
  statement('alter table database_history add column if not exists was_replicated boolean not null default false'),
]
