import { index } from '../migration-steps.ts'

/** The end of a day posts the yield of a strategy's positions page by page, in the order of their wallets. */
export const steps = [index('allocations_to_accrue', "allocations (strategy_id, wallet_id) where status <> 'CLOSED'")]
