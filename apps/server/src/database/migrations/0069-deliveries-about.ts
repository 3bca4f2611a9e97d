import { index } from '../migration-steps.ts'

/** A missing delivery is looked for by the operation or the payment that it tells of. */
export const steps = [index('webhook_deliveries_about', 'webhook_deliveries (organization_id, object_id, webhook_id)')]
