import { index, statement } from '../migration-steps.ts'

/**
 * All deposits of a block are recorded at once, and those that the banking provider does not watch itself are handled
 * later, in pages. The time of the next attempt is null once that happened, as it is for what processes of the version
 * before record: they handle a deposit with its row.
 */
export const steps = [
  statement('alter table ramp_deposits add column if not exists next_attempt_at timestamptz'),
  statement('alter table ramp_deposits add column if not exists attempts integer not null default 0'),
  statement('alter table ramp_deposits add column if not exists error text'),
  index('ramp_deposits_waiting', 'ramp_deposits (blockchain, next_attempt_at, id) where next_attempt_at is not null'),
]
