// Which wallets match: surfaces/core/treasury/many-wallets.test.ts.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../testing/index.ts'
import { hasWalletPrefix } from './wallet-prefix.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
  await database.db.connection().execute(async (connection) => {
    await sql`set session_replication_role = replica`.execute(connection)
    await sql`
      insert into wallets (organization_id, wallet_profile_id, blockchain, address, label, created_at)
      select 1 + i % 2, 1, 'polygon', '0x' || lpad(to_hex(i), 40, '0'),
        case when i % 3 = 0 then null else 'Branch ' || i end, now() from generate_series(1, 20000) i
    `.execute(connection)
    await sql`reset session_replication_role`.execute(connection)
    await sql`vacuum analyze wallets`.execute(connection)
  })
})
afterAll(() => database.close())

interface Plan {
  readonly 'Node Type': string
  readonly 'Index Name'?: string
  readonly Plans?: readonly Plan[]
}

test('wallets are found by the beginning of a label or an address from two indexes, and no other wallet is read', async () => {
  for (const text of ['branch 1999', '0x000000000000000000000000000000000000aB1']) {
    const { sql: statement, parameters } = database.db
      .selectFrom('wallets')
      .select('id')
      .where('organization_id', '=', 1)
      .where(hasWalletPrefix(text))
      .compile()
    const { rows } = await database.pool.query(`explain (analyze, format json) ${statement}`, [...parameters])
    const flat = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flat)]
    const plans = flat(rows[0]['QUERY PLAN'][0].Plan)
    expect(plans.flatMap((plan) => plan['Index Name'] ?? []).sort()).toEqual(['wallets_by_address', 'wallets_by_label'])
    expect(plans.map((plan) => plan['Node Type'])).not.toContain('Seq Scan')
  }
})
