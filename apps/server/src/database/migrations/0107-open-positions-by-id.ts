import { index } from '../migration-steps.ts'

/** Sums read the open positions of an organization by their ids, among all that were closed. */
export const steps = [index('allocations_open_by_id', "allocations (organization_id, id) where status <> 'CLOSED'")]
