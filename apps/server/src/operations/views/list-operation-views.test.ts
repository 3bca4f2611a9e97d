import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../testing/index.ts'
import { allocationPage } from '../../allocations/views/list-allocations.ts'
import { operationPage } from '../lifecycle/reads/read-operations.ts'
import { TERMINAL, UNFINISHED } from '../lifecycle/states/operation-states.ts'
import { operationViewPage } from './list-operation-views.ts'

let database: TestDatabase
const MANY = 30_000

/** Two organizations with many operations in every state and many closed positions. */
beforeAll(async () => {
  database = await testDatabase()
  await database.db.connection().execute(async (connection) => {
    await sql`
      insert into organizations (name, created_at) values ('One', now()), ('Two', now());
      insert into wallet_profiles (organization_id, name, enabled_chains, operation_timeout_seconds, created_at)
        values (1, 'first', '{polygon}', 120, now()), (2, 'first', '{polygon}', 120, now()),
          (1, 'of few', '{polygon}', 120, now());
      insert into venues (key, name, protocol, blockchain, status) values ('v', 'V', 'erc4626', 'polygon', 'active');
      insert into strategies (key, venue_id, name, token, token_address, token_decimals, status, supports_gas_sponsorship,
        params, protocol, blockchain) select 's', id, 'S', 'USDC', '0x1', 6, 'active', false, '{}', 'erc4626', 'polygon'
        from venues;
      insert into wallets (organization_id, wallet_profile_id, blockchain, address, created_at)
        select 1 + i % 2, case i when 0 then 3 else 1 + i % 2 end, 'polygon', '0x' || i, now()
        from generate_series(0, 999) i;
    `.execute(connection)
    // Switches off the triggers that maintain counts and sums: they are not under test here.
    await sql`set session_replication_role = replica`.execute(connection)
    await sql`
      insert into operations (organization_id, wallet_id, strategy_id, type, executor, state, amount, created_at, updated_at)
      select 1 + i % 2, 1 + i % 1000, 1, 'SUPPLY', 'agent', s.state, 1, now(), now()
      from generate_series(1, ${sql.lit(MANY)}) i
      join (values (0, 'COMPLETED'), (1, 'COMPLETED'), (2, 'COMPLETED'), (3, 'FAILED'), (4, 'REJECTED'), (5, 'ABORTED'),
        (6, 'PENDING_APPROVAL'), (7, 'EXECUTING')) s(n, state) on s.n = (i / 2) % 8;
      insert into transactions (organization_id, operation_id, position, kind, state, blockchain, sender, description,
        call, unsigned_bytes, can_still_land, tx_hash)
        select organization_id, id, 0, 'supply', 'confirmed', 'polygon', '0x', '', '{}', '', false, '0x' || id from operations;
      insert into allocations (organization_id, wallet_id, strategy_id, status, shares, principal, posted_value,
        posted_price, posted_at, opened_at, updated_at, closed_at)
        select 1 + i % 2, 1 + i % 1000, 1, case when i > ${sql.lit(MANY - 1_000)} then 'ACTIVE' else 'CLOSED' end,
          0, 0, 0, 0, now(), now(), now(), now()
        from generate_series(1, ${sql.lit(MANY)}) i;
    `.execute(connection)
    await sql`reset session_replication_role`.execute(connection)
    await sql`vacuum analyze`.execute(connection)
  })
})
afterAll(() => database.close())

interface Plan {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly Plans?: readonly Plan[]
}

/** Every node of the query plan that reads a growing table. */
async function readsOf(query: { compile(): { sql: string; parameters: readonly unknown[] } }): Promise<Plan[]> {
  const { sql: text, parameters } = query.compile()
  const explain = `explain (analyze, format json) ${text}`
  const { rows } = await database.pool.query(explain, [...parameters])
  const flat = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flat)]
  const growing = new Set(['operations', 'transactions', 'allocations', 'wallets', 'counters'])
  return flat(rows[0]['QUERY PLAN'][0].Plan).filter((plan) => growing.has(plan['Relation Name'] ?? ''))
}

const expectIndexReads = (reads: readonly Plan[], index: string, maxRows: number) => {
  expect(reads.filter((read) => /Seq Scan|Bitmap/.test(read['Node Type']))).toEqual([])
  expect(reads.map((read) => read['Index Name'])).toContain(index)
  const rows = reads.map((read) => read['Actual Rows'] * read['Actual Loops'])
  expect(Math.max(...rows)).toBeLessThanOrEqual(maxRows)
}

describe('one page out of many reads only its own rows', () => {
  test.each([
    ['history', TERMINAL, 'operations_finished'],
    ['the queue', UNFINISHED, 'operations_open'],
    ['what completed', ['COMPLETED'] as const, 'operations_completed'],
    ['what was rejected', ['REJECTED'] as const, 'operations_ended_badly'],
  ])('for %s', async (_, states, index) => {
    expectIndexReads(await readsOf(operationViewPage(database.db, 1, { states }, { limit: 50, offset: 0 })), index, 50)
  })

  test('for what completed, as v1 lists it, no matter how many newer operations are unfinished', async () => {
    const scope = { organizationId: 1, walletProfileId: null }
    const { query } = operationPage(database.db, scope, { states: ['COMPLETED'] }, { limit: 50, offset: 0 })
    expectIndexReads(await readsOf(query), 'operations_completed', 50)
  })

  test.each([
    ['everything', undefined, 'operations_of_profile'],
    ['what completed', ['COMPLETED'] as const, 'operations_completed_of_profile'],
    ['what failed', ['FAILED', 'REJECTED', 'ABORTED'] as const, 'operations_failed_of_profile'],
    ['what is under way', UNFINISHED, 'operations_open_of_profile'],
  ])('for one profile among others: %s', async (_, states, index) => {
    for (const walletProfileId of [1, 3]) {
      const scope = { organizationId: 1, walletProfileId }
      const { query } = operationPage(database.db, scope, { states }, { limit: 50, offset: 0 })
      expectIndexReads(await readsOf(query), index, 50)
    }
  })

  test('for closed and for active allocations', async () => {
    for (const status of ['CLOSED', 'ACTIVE'] as const)
      expectIndexReads(
        await readsOf(allocationPage(database.db, 1, { statuses: [status] }, { limit: 50, offset: 0 })),
        'allocations_by_status',
        50,
      )
  })

  test('and skips earlier rows with an index-only scan', async () => {
    const reads = await readsOf(operationViewPage(database.db, 1, { states: TERMINAL }, { limit: 50, offset: 10_000 }))
    const skipping = reads.filter((read) => read['Actual Rows'] * read['Actual Loops'] > 50)
    expect(skipping.map((read) => [read['Node Type'], read['Index Name']])).toEqual([
      ['Index Only Scan', 'operations_finished'],
    ])
  })
})
