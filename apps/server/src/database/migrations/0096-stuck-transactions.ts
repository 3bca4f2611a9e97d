import { index } from '../migration-steps.ts'

/** Transactions that ended with TIMEOUT and may still land, for monitoring: their wallets wait for them. */
export const steps = [
  index('transactions_stuck', "transactions (submitted_at) where can_still_land and failure_code = 'TIMEOUT'"),
]
