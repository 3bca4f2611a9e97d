import { statement } from '../migration-steps.ts'

/**
 * Whether later blocks of the wallet were settled before a deferred one. False in rows of a process of an earlier version,
 * which does not know of it.
 */
export const steps = [
  statement('alter table quarantined_blocks add column if not exists is_past boolean not null default false'),
]
