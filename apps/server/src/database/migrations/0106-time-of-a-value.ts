import { statement } from '../migration-steps.ts'

/**
 * Which reading `withdrawable_of` belongs to: a process of an earlier version, which does not know it, writes the other
 * two columns only.
 */
export const steps = [statement('alter table allocations add column if not exists withdrawable_of_at timestamptz')]
