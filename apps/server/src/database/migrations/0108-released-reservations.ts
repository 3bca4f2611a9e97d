import { index } from '../migration-steps.ts'

/** The check of caps and limits reads what an organization released since a moment. */
export const steps = [index('reservations_released', 'reservations (organization_id, released_at)')]
