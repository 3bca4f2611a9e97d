import type { Database } from '../../src/database/index.ts'
import { breakRows } from '../database/break-rows.ts'

/** Makes every posting for this wallet fail, like a defect of this wallet only. Returns a function that repairs it. */
export function breakPostings(db: Database, walletId: number): Promise<() => Promise<void>> {
  return breakRows(db, { table: 'ledger_postings', when: `new.wallet_id = ${walletId}` })
}
