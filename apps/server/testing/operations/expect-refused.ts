import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Database } from '../../src/database/index.ts'
import type { ErrorCode } from '../../src/kernel/index.ts'

/** The tables that a refused request must not change. */
const TABLES = [
  'operations',
  'transactions',
  'reservations',
  'ledger_postings',
  'outbox',
  'agent_work',
  'operation_approvals',
  'chain_nonces',
  'allocations',
] as const

/** A checksum of each table's rows. */
async function checksums(db: Database): Promise<unknown> {
  const parts = TABLES.map(
    (table) => sql`
      select ${sql.lit(table)} as name, md5(coalesce(string_agg(t::text, ',' order by t::text), '')) as sum
      from ${sql.table(table)} t`,
  )
  return (await sql`${sql.join(parts, sql` union all `)}`.execute(db)).rows
}

/** Asserts that a request fails with this code and changes no row of these tables. */
export async function expectRefused(db: Database, code: ErrorCode, request: () => Promise<unknown>): Promise<void> {
  const before = await checksums(db)
  await expect(request()).rejects.toMatchObject({ code })
  expect(await checksums(db)).toEqual(before)
}
