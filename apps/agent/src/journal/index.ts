export type { Reservation } from './commitments.ts'
export { type ApprovalUse, type Journal, openJournal } from './journal.ts'
export type { FinalOutcome, SignedTransaction } from './signed-transaction.ts'
