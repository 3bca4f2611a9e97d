import { statement } from '../migration-steps.ts'

/** What a vault counts among its assets although its markets lost it, as the vault itself reports it. */
export const steps = [statement('alter table strategies add column if not exists shortfall numeric(78, 0)')]
