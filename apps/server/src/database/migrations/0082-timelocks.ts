import { statement } from '../migration-steps.ts'

/** How long the curator of a vault waits before it can add risk, as the vault itself reports it. */
export const steps = [statement('alter table strategies add column if not exists timelock_seconds bigint')]
