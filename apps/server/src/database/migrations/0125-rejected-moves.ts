import { index } from '../migration-steps.ts'

/** What was rejected of a wallet within a day, which pauses such moves however many others ended since. */
export const steps = [
  index(
    'operations_rejected_of_operational_wallet',
    "operations (organization_id, op_wallet_id, completed_at) where state = 'REJECTED'",
  ),
]
