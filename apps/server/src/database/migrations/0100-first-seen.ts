import { statement } from '../migration-steps.ts'

/** When a node first knew a transaction: `last_seen_at` moves with each look. */
export const steps = [statement('alter table transactions add column if not exists first_seen_at timestamptz')]
