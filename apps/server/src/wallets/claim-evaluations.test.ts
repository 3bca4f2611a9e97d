import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { untilBlockedOrEnded } from '../../testing/database/overlap.ts'
import { type TestDatabase, testDatabase } from '../../testing/index.ts'
import { inTransaction, listenToMilestones, type Milestone } from '../database/index.ts'
import {
  claimEvaluations,
  type EvaluationClaim,
  type EvaluationResult,
  oldestShortBuffer,
  releaseClaims,
} from './index.ts'

// `rebalancing/evaluate-due-wallets.test.ts` tests what an evaluation finds.

let database: TestDatabase
const steps: Milestone[] = []
beforeAll(async () => {
  database = await testDatabase()
  await sql`
    insert into organizations (name, created_at) values ('One', now());
    insert into wallet_profiles (organization_id, name, enabled_chains, operation_timeout_seconds, created_at)
      values (1, 'first', '{polygon}', 120, now());
    insert into wallets (organization_id, wallet_profile_id, blockchain, address, created_at)
      values (1, 1, 'polygon', '0xa', now());
    insert into operational_wallets (organization_id, wallet_id, token_address, enable_yield, buffer_amount, created_at,
      updated_at) values (1, 1, '0x1', true, 0, now(), now());
  `.execute(database.db)
  listenToMilestones(database.db, (step) => steps.push(step))
})
afterAll(() => database.close())

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second))

/** Evaluates the only wallet, with this finding. */
async function evaluate(second: number, buffer: EvaluationResult['buffer']): Promise<void> {
  await database.db
    .updateTable('operational_wallets')
    .set({ due_at: at(second) })
    .execute()
  const [claim] = await claimEvaluations(database.db, at(second), 10)
  const note = { outcome: 'in order', text: '' } as const
  const found = { claim: claim!, nextDueAt: null, failures: 0, note }
  await releaseClaims(database.db, [buffer ? { ...found, buffer } : found], at(second))
}

test('a buffer that is full again is published once, with the seconds since it was found short', async () => {
  await evaluate(0, 'full')
  await evaluate(1, 'short')
  await evaluate(5, 'short')
  await evaluate(6, undefined)
  expect(steps).toEqual([])
  expect(await oldestShortBuffer(database.db, at(11))).toBe(10)
  await evaluate(21, 'full')
  await evaluate(30, 'full')
  expect(steps).toEqual([{ name: 'buffer restored', facts: { organizationId: 1, opWalletId: 1, seconds: 20 } }])
  expect(await oldestShortBuffer(database.db, at(31))).toBe(0)
})

test('a wallet that lost all its positions while short was not restored', async () => {
  steps.length = 0
  await evaluate(40, 'short')
  await evaluate(41, 'unfunded')
  expect(steps).toEqual([])
  expect(await oldestShortBuffer(database.db, at(50))).toBe(0)
})

test('a wallet that somebody else has locked is left for later, and nobody waits for it', async () => {
  await database.db
    .updateTable('operational_wallets')
    .set({ due_at: at(50) })
    .execute()
  let claims: readonly EvaluationClaim[] | undefined
  let claiming: Promise<unknown> = Promise.resolve()
  await inTransaction(database.db, async (tx) => {
    await tx.selectFrom('operational_wallets').select('id').forUpdate().execute()
    claiming = claimEvaluations(database.db, at(50), 10).then((found) => {
      claims = found
    })
    await untilBlockedOrEnded(database.db, claiming)
    expect(claims).toEqual([])
  })
  await claiming
  expect(await claimEvaluations(database.db, at(50), 10)).toHaveLength(1)
})

test('a process that hung for longer than its claim changes nothing that the next one found', async () => {
  const { db } = database
  const find = async (claim: EvaluationClaim, second: number, found: Omit<EvaluationResult, 'claim' | 'nextDueAt'>) =>
    releaseClaims(db, [{ claim, nextDueAt: null, ...found }], at(second))
  await db
    .updateTable('operational_wallets')
    .set({ due_at: new Date(0) })
    .execute()
  const [hung] = await claimEvaluations(db, new Date(0), 10)
  const [next] = await claimEvaluations(db, at(10), 10)
  await find(next!, 11, { failures: 0, note: { outcome: 'in order', text: '' }, buffer: 'full' })
  await find(hung!, 12, { failures: 3, note: { outcome: 'refused', text: '' }, buffer: 'short' })
  const kept = await db.selectFrom('operational_wallets').selectAll().executeTakeFirstOrThrow()
  expect(kept).toMatchObject({ rebalance_failures: 0, last_evaluation: { outcome: 'in order' }, short_since: null })
})

describe('many due wallets of one organization', () => {
  const due = (count: number) => claimEvaluations(database.db, at(59), count)
  const organizationsOf = async (claims: readonly { readonly opWalletId: number }[]) => {
    const rows = await database.db
      .selectFrom('operational_wallets')
      .select(['id', 'organization_id'])
      .where(
        'id',
        'in',
        claims.map(({ opWalletId }) => opWalletId),
      )
      .execute()
    return rows.map((row) => row.organization_id).toSorted((a, b) => a - b)
  }

  /** As many wallets of each organization, the first one's due before all others. */
  async function dueWallets(counts: Readonly<Record<number, number>>): Promise<void> {
    await sql`delete from operational_wallets; delete from wallets where id > 1`.execute(database.db)
    for (const [organization, count] of Object.entries(counts)) {
      await sql`
        insert into organizations (id, name, created_at) overriding system value values (${organization}, 'Another', now())
        on conflict do nothing
      `.execute(database.db)
      await sql`
        with profile as (
          insert into wallet_profiles (organization_id, name, enabled_chains, operation_timeout_seconds, created_at)
          values (${organization}, 'due', '{polygon}', 120, now()) returning id
        ), made as (
          insert into wallets (organization_id, wallet_profile_id, blockchain, address, created_at)
          select ${organization}, profile.id, 'polygon', '0xd' || n, now() from profile, generate_series(1, ${count}::int) n
          returning id
        )
        insert into operational_wallets (organization_id, wallet_id, token_address, enable_yield, buffer_amount, due_at,
          created_at, updated_at)
        select ${organization}, id, '0x1', true, 0, ${at(Number(organization))}, now(), now() from made
      `.execute(database.db)
    }
  }

  test('delay nobody else by more than a page: each organization has its share of one', async () => {
    await dueWallets({ 2: 50, 3: 1, 4: 20 })
    expect(await organizationsOf(await due(9))).toEqual([2, 2, 2, 3, 4, 4, 4])
    expect(await organizationsOf(await due(8))).toEqual([2, 2, 2, 2, 4, 4, 4, 4])
  })

  test('are a page of their own while nobody else has any, and none is claimed twice', async () => {
    await dueWallets({ 2: 25 })
    const pages = [await due(10), await due(10), await due(10), await due(10)]
    expect(pages.map(({ length }) => length)).toEqual([10, 10, 5, 0])
    expect(new Set(pages.flat().map(({ opWalletId }) => opWalletId)).size).toBe(25)
  })

  test('leave room where more organizations wait than a page holds: those that wait longest come first', async () => {
    await dueWallets({ 2: 3, 3: 3, 4: 3 })
    expect(await organizationsOf(await due(2))).toEqual([2, 3])
    expect(await organizationsOf(await due(2))).toEqual([2, 3])
  })
})
