import { statement } from '../migration-steps.ts'

/** What a position was worth when its withdrawable amount was read: the settled value may be of another block. */
export const steps = [statement('alter table allocations add column if not exists withdrawable_of numeric(78, 0)')]
