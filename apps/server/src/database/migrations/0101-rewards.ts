import { statement } from '../migration-steps.ts'

/** What protocols track of rewards in other tokens, so that they are shown beside the yield; no APY contains them. */
export const steps = [
  statement('alter table strategies add column if not exists reward_index numeric(78, 0)'),
  statement('alter table strategies add column if not exists reward_factor numeric(78, 0)'),
  statement('alter table strategies add column if not exists reward_token text'),
  statement('alter table strategies add column if not exists reward_accrues boolean'),
  statement('alter table strategy_prices add column if not exists reward_index numeric(78, 0)'),
]
