import { statement } from '../migration-steps.ts'

/** What vaults announce to keep of deposits and withdrawals, in hundredths of a percent. */
export const steps = [
  statement('alter table strategies add column if not exists entry_fee_bps integer'),
  statement('alter table strategies add column if not exists exit_fee_bps integer'),
]
