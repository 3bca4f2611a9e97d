import { statement } from '../migration-steps.ts'

/** Whether Weir chose the strategy of a requested deployment: its steps are planned again by the same rules. */
export const steps = [
  statement('alter table operations add column if not exists is_strategy_chosen boolean not null default false'),
]
