import { index } from '../migration-steps.ts'

/** The check of caps and limits reads what an organization deposited since a moment. */
export const steps = [
  index(
    'operations_supplied',
    "operations (organization_id, completed_at) where state = 'COMPLETED' and type = 'SUPPLY'",
  ),
]
