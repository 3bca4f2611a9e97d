import { index } from '../migration-steps.ts'

/** Organizations take turns where their events wait for their positions. */
export const steps = [index('outbox_waiting_of_organization', 'outbox (organization_id, id) where relayed_at is null')]
