import { statement } from '../migration-steps.ts'

/** Data keys of a key service that no stored value needs stay, and no start looks for values under them again. */
export const steps = [
  statement('alter table secret_keys add column if not exists is_retired boolean not null default false'),
]
