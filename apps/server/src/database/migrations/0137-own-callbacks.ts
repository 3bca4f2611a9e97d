import { statement } from '../migration-steps.ts'

/** Whether a provider of sign-ins is known to have its own redirect URI registered; one of an earlier version may not. */
export const steps = [statement('alter table sso_providers add column if not exists own_callback boolean')]
