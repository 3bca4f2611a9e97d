import { sql } from 'kysely'
import { onTestFinished } from 'vitest'
import type { Database, Schema } from '../../src/database/index.ts'

export interface BrokenRows {
  readonly table: keyof Schema
  /** SQL over `new`. */
  readonly when: string
  /** Default: an error of the row, which no retry repairs. */
  readonly sqlState?: string
}

let broken = 0

/**
 * Makes every write of these rows fail, like a defect of these rows only. Returns a function that repairs it; the end of the
 * test does, too, so that the next attempt and the next test find whole rows.
 */
export async function breakRows(
  db: Database,
  { table, when, sqlState = 'P0001' }: BrokenRows,
): Promise<() => Promise<void>> {
  broken += 1
  const name = `refuse_rows_${broken}`
  await sql`
    create function ${sql.ref(name)}() returns trigger language plpgsql as ${sql.lit(
      `begin raise exception 'spoiled' using errcode = '${sqlState}'; end`,
    )};
    create trigger ${sql.ref(name)} before insert or update on ${sql.table(table)} for each row
      when (${sql.raw(when)}) execute function ${sql.ref(name)}();
  `.execute(db)
  let isBroken = true
  const repair = async () => {
    if (!isBroken) return
    await sql`drop trigger ${sql.ref(name)} on ${sql.table(table)}; drop function ${sql.ref(name)}()`.execute(db)
    isBroken = false
  }
  onTestFinished(repair)
  return repair
}
