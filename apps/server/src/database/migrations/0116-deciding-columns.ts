import { statement } from '../migration-steps.ts'

/** Who withheld work, and how an evaluation ended: columns that decide, beside the texts for people. */
export const steps = [
  statement('alter table agent_work add column if not exists withheld_by text'),
  statement('alter table operational_wallets add column if not exists last_outcome text'),
]
