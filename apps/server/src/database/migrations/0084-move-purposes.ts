import { type MigrationStep, statement } from '../migration-steps.ts'

/**
 * What the rebalancer plans an operation for, so that a rejection pauses the same move only. Null: a person or a client
 * requested the operation, or it is older than the column.
 */
export const steps: readonly MigrationStep[] = [
  statement('alter table operations add column if not exists purpose text'),
  statement(`
    alter table operations drop constraint if exists operations_purpose_known,
      add constraint operations_purpose_known
        check (purpose in ('deployment', 'refill', 'evacuation', 'claim', 'revocation')) not valid
  `),
  statement('alter table operations validate constraint operations_purpose_known'),
]
