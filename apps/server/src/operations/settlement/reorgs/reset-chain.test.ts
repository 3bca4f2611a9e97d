// Also tested elsewhere: a follower on a new chain of the same name (watch/follow-chain.test.ts), and a service
// whose chain lost its state (system/processes/process.test.ts).

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestChain, type TestChain } from '../../../../testing/chains/test-chain.ts'
import { expectValidLedger } from '../../../../testing/ledger/expect-ledger.ts'
import { anyState } from '../../../../testing/operations/any-state.ts'
import { type EngineFixture, startEngineFixture } from '../../../../testing/operations/engine-fixture.ts'
import type { TestClient } from '../../../../testing/operations/test-client.ts'
import { USDC } from '../../../../testing/units.ts'
import { saveEndedDay } from '../../../allocations/index.ts'
import { resetChain } from './reset-chain.ts'

let dev: TestChain
let engine: EngineFixture
let client: TestClient
beforeAll(async () => {
  dev = await startTestChain()
})
afterAll(() => dev?.stop())
beforeEach(async () => {
  engine = await startEngineFixture(dev)
  client = await engine.client({ usdc: 1_000n * USDC })
  await engine.settle()
  return () => engine.close()
})

const balances = async () => {
  const { available, reserved, deployed } = await engine.db
    .selectFrom('ledger_balances')
    .selectAll()
    .where('wallet_id', '=', client.wallet.walletId)
    .where('token_address', '=', client.usdcAddress)
    .executeTakeFirstOrThrow()
  return { available, reserved, deployed }
}
const NOTHING = { available: 0n, reserved: 0n, deployed: 0n }

test('ends operations, closes positions, posts every balance to external and keeps the ledger balanced', async () => {
  await client.complete(await client.supply(400n * USDC))
  const plan = await client.supply(100n * USDC)
  await saveEndedDay(engine.db, 'polygon', { blockNumber: 1, blockHash: '0xold', chainTime: new Date(), prices: [] })
  expect(await resetChain(engine.parts, 'polygon', '0xnew')).toBe(1)
  expect(await balances()).toEqual(NOTHING)
  expect(await client.operation(plan)).toMatchObject({ state: 'ABORTED' })
  const allocations = await engine.db.selectFrom('allocations').select(['status', 'shares']).execute()
  expect(allocations).toEqual([{ status: 'CLOSED', shares: 0n }])
  const left = await engine.db.selectFrom('transactions').select('id').where('can_still_land', '=', true).execute()
  expect(left).toEqual([])
  for (const table of ['chain_nonces', 'transaction_hashes', 'ended_days'] as const)
    expect(await engine.db.selectFrom(table).select('blockchain').execute(), table).toEqual([])
  await expectValidLedger(engine)
})

test('a submitted operation fails, and its transactions are DROPPED', async () => {
  const plan = await client.supply(100n * USDC)
  await dev.withoutMining(async () => {
    await client.submitAll(plan)
    await resetChain(engine.parts, 'polygon', '0xnew')
  })
  const failed = await client.operation(plan)
  expect(failed).toMatchObject({ state: 'FAILED', failureReason: 'ONCHAIN' })
  expect(failed.transactions.map(anyState).map(({ failureCode }) => failureCode)).toEqual(['DROPPED', 'DROPPED'])
  expect(await balances()).toEqual(NOTHING)
})

test('a second run after a crash changes nothing', async () => {
  await client.complete(await client.supply(400n * USDC))
  await resetChain(engine.parts, 'polygon', '0xnew')
  const postings = () => engine.db.selectFrom('ledger_postings').selectAll().orderBy('entry_id').execute()
  const before = await postings()
  await resetChain(engine.parts, 'polygon', '0xnew')
  expect(await postings()).toEqual(before)
})
