import { index } from '../migration-steps.ts'

/** Money movements list claims made without Weir, among all the yield that was posted. */
export const steps = [index('ledger_entries_exits', "ledger_entries (organization_id, id) where kind = 'exit'")]
