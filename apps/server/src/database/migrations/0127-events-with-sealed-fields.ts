import { index } from '../migration-steps.ts'

/** Few events have sealed fields: who looks for the values of a key reads those alone. */
export const steps = [index('outbox_with_personal_fields', 'outbox (organization_id, id) where personal is not null')]
