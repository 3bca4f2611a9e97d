import { type MigrationStep, statement } from '../migration-steps.ts'

/**
 * How much a strategy refused to pay: the next withdrawal asks for half of it. Claims are refused apart from withdrawals of
 * the same strategy. The check so far has the name that PostgreSQL gave it.
 */
export const steps: readonly MigrationStep[] = [
  statement('alter table refused_moves add column if not exists amount numeric(78, 0)'),
  statement(`
    alter table refused_moves drop constraint if exists refused_moves_type_check,
      drop constraint if exists refused_moves_type_known,
      add constraint refused_moves_type_known check (type in ('SUPPLY', 'UNWIND', 'CLAIM')) not valid
  `),
  statement('alter table refused_moves validate constraint refused_moves_type_known'),
]
