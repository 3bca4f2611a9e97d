export { type Journal, openJournal } from './journal.ts'
export type { Ending, Signed } from './signed.ts'
