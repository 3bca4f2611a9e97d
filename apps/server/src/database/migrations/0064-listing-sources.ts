import { statement } from '../migration-steps.ts'

/** Strategies that an operator's venue file lists, with the source that it names. */
export const steps = [statement('alter table strategies add column if not exists listing_source text')]
