import { sql } from 'kysely'
import type { Database } from '../../src/database/index.ts'

/** Makes every posting for this wallet fail, like a defect of this wallet only. Returns a function that repairs it. */
export async function breakPostings(db: Database, walletId: number): Promise<() => Promise<void>> {
  await sql`
    create function refuse_posting() returns trigger language plpgsql as 'begin raise exception ''spoiled''; end';
    create trigger spoiled before insert on ledger_postings for each row
      when (new.wallet_id = ${sql.lit(walletId)}) execute function refuse_posting();
  `.execute(db)
  return async () => {
    await sql`drop trigger spoiled on ledger_postings; drop function refuse_posting()`.execute(db)
  }
}
