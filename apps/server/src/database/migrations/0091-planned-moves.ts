import { index } from '../migration-steps.ts'

/** What the approval policy decided, by time: a dry run reads the last days of an organization, past no client's operation. */
export const steps = [
  index('operations_planned_moves', "operations (organization_id, created_at, id) where executor = 'agent'"),
]
