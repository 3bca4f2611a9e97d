import { index } from '../migration-steps.ts'

/** The ledger of an organization as of a moment reads what was booked since. */
export const steps = [index('ledger_entries_by_time', 'ledger_entries (organization_id, created_at)')]
