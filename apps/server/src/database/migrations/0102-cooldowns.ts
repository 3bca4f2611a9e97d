import { statement } from '../migration-steps.ts'

/** How long a withdrawal waits after its request, as the vault itself reports it. */
export const steps = [statement('alter table strategies add column if not exists cooldown_seconds bigint')]
