export { type Balance, balancesOf, openAccounts, openMissingAccounts } from './accounts.ts'
export { recordBreak } from './breaks.ts'
export { type LedgerEntry, postings } from './entry.ts'
export { post } from './post.ts'
