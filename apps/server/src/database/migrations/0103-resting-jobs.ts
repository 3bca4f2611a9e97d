import { statement } from '../migration-steps.ts'

/** The jobs that a process leaves to others. Null: a process of an earlier version, which does not know of them. */
export const steps = [statement('alter table workers add column if not exists resting text[]')]
