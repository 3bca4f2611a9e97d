import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { overlap } from '../../testing/database/overlap.ts'
import { type TestDatabase, testDatabase } from '../../testing/index.ts'
import { type EvaluationOutcome, inTransaction } from '../database/index.ts'
import {
  claimEvaluations,
  type EvaluationTarget,
  releaseClaims,
  scheduleEvaluation,
  schedulePausedEvaluations,
  scheduleTokenEvaluations,
} from './index.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
  await sql`
    insert into organizations (name, created_at) values ('One', now()), ('Two', now());
    insert into wallet_profiles (organization_id, name, enabled_chains, operation_timeout_seconds, created_at)
      values (1, 'first', '{polygon}', 120, now()), (2, 'first', '{polygon}', 120, now());
    insert into wallets (organization_id, wallet_profile_id, blockchain, address, created_at)
      values (1, 1, 'polygon', '0xa', now()), (1, 1, 'polygon', '0xb', now()), (2, 2, 'polygon', '0xa', now());
    insert into operational_wallets (organization_id, wallet_id, token_address, enable_yield, buffer_amount, created_at,
      updated_at) values (1, 1, '0x1', true, 0, now(), now()), (1, 1, '0x2', true, 0, now(), now()),
      (2, 3, '0x1', true, 0, now(), now());
  `.execute(database.db)
})
afterAll(() => database.close())
beforeEach(async () => {
  await database.db.updateTable('operational_wallets').set({ due_at: null, last_evaluation: null }).execute()
})

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second))
const schedule = (changed: EvaluationTarget[], second: number) =>
  inTransaction(database.db, (tx) => scheduleEvaluation(tx, changed, at(second)))
const due = async () => {
  const rows = await database.db.selectFrom('operational_wallets').select('due_at').orderBy('id').execute()
  return rows.map(({ due_at }) => due_at?.getUTCSeconds() ?? null)
}

test('one token of a wallet, or all of them, become due, and none of another organization does', async () => {
  await schedule([{ organizationId: 1, walletId: 1, tokenAddress: '0x2' }], 5)
  expect(await due()).toEqual([null, 5, null])
  await schedule([{ organizationId: 1, walletId: 1 }], 7)
  expect(await due()).toEqual([7, 5, null])
  await schedule(
    [
      { organizationId: 1, walletId: 3 },
      { organizationId: 2, walletId: 1 },
    ],
    1,
  )
  expect(await due()).toEqual([7, 5, null])
})

test('the earliest scheduled moment wins', async () => {
  await schedule([{ organizationId: 2, walletId: 3 }], 9)
  await schedule([{ organizationId: 2, walletId: 3 }], 20)
  expect(await due()).toEqual([null, null, 9])
  await schedule(
    [
      { organizationId: 2, walletId: 3 },
      { organizationId: 2, walletId: 3, tokenAddress: '0x1' },
    ],
    4,
  )
  expect(await due()).toEqual([null, null, 4])
})

test('a wallet that is due already is not evaluated before the change that schedules it again has committed', async () => {
  const target = { organizationId: 2, walletId: 3 }
  await schedule([target], 1)
  await inTransaction(database.db, async (tx) => {
    await scheduleEvaluation(tx, [target], at(2))
    expect(await claimEvaluations(database.db, at(2), 10)).toEqual([])
  })
  expect(await claimEvaluations(database.db, at(2), 10)).toHaveLength(1)
})

test('a paused wallet that is due already is not evaluated before the change that ends its pause has committed', async () => {
  await database.db
    .updateTable('operational_wallets')
    .set({ due_at: at(1), last_evaluation: JSON.stringify({ outcome: 'paused' }) })
    .where('id', '=', 1)
    .execute()
  await inTransaction(database.db, async (tx) => {
    await schedulePausedEvaluations(tx, 1, at(2))
    expect(await claimEvaluations(database.db, at(2), 10)).toEqual([])
  })
  expect(await due()).toEqual([1, null, null])
})

test('a change that overlaps the claim of a wallet makes it due again', async () => {
  const target = { organizationId: 2, walletId: 3 }
  await schedule([target], 1)
  const change = overlap(database.db, () => schedule([target], 4))
  expect(await change.transact((tx) => claimEvaluations(tx, at(2), 10))).toHaveLength(1)
  await change.outcome()
  expect(await due()).toEqual([null, null, 4])
})

test('a wallet whose evaluation is under way becomes due too, because it may pause', async () => {
  const note = { outcome: 'paused', text: '' } as const
  await schedule([{ organizationId: 1, walletId: 1, tokenAddress: '0x1' }], 1)
  const [claim] = await claimEvaluations(database.db, at(2), 10)
  await inTransaction(database.db, (tx) => schedulePausedEvaluations(tx, 1, at(3)))
  await releaseClaims(database.db, [{ claim: claim!, nextDueAt: null, failures: 0, note }], at(4))
  expect(await due()).toEqual([3, null, null])
})

test('a token that is not operational, and an empty list, are accepted', async () => {
  await schedule([], 1)
  await schedule(
    [
      { organizationId: 1, walletId: 2 },
      { organizationId: 9, walletId: 9, tokenAddress: 'x' },
    ],
    1,
  )
  expect(await due()).toEqual([null, null, null])
})

test('an outcome that an earlier version wrote counts too, until the next evaluation', async () => {
  await database.db
    .updateTable('operational_wallets')
    .set({ last_evaluation: JSON.stringify({ outcome: 'paused' }) })
    .where('id', '=', 1)
    .execute()
  await inTransaction(database.db, (tx) => schedulePausedEvaluations(tx, 1, at(5)))
  expect(await due()).toEqual([5, null, null])
  const [claim] = await claimEvaluations(database.db, at(6), 10)
  const note = { outcome: 'in order', text: '' } as const
  await releaseClaims(database.db, [{ claim: claim!, nextDueAt: null, failures: 0, note }], at(7))
  await inTransaction(database.db, (tx) => schedulePausedEvaluations(tx, 1, at(8)))
  expect(await due()).toEqual([null, null, null])
})

test('only the wallets of an organization whose last evaluation paused become due, and no others', async () => {
  const setOutcome = (id: number, outcome: EvaluationOutcome) =>
    database.db.updateTable('operational_wallets').set({ last_outcome: outcome }).where('id', '=', id).execute()
  await setOutcome(1, 'in order')
  await setOutcome(2, 'paused')
  await setOutcome(3, 'paused')
  await inTransaction(database.db, (tx) => schedulePausedEvaluations(tx, 1, at(5)))
  expect(await due()).toEqual([null, 5, null])
  await inTransaction(database.db, (tx) => schedulePausedEvaluations(tx, 1, at(9)))
  expect(await due()).toEqual([null, 5, null])
})

test('every operational wallet of one token of an organization becomes due, and keeps an earlier moment', async () => {
  await schedule([{ organizationId: 1, walletId: 1, tokenAddress: '0x1' }], 3)
  const token = { organizationId: 1, tokenAddress: '0x2' }
  await inTransaction(database.db, (tx) => scheduleTokenEvaluations(tx, token, at(6)))
  expect(await due()).toEqual([3, 6, null])
  await inTransaction(database.db, (tx) => scheduleTokenEvaluations(tx, { ...token, tokenAddress: '0x1' }, at(8)))
  expect(await due()).toEqual([3, 6, null])
})
