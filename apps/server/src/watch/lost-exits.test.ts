// Final blocks that a development chain lost, with the requests and claims in them.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestChain, type TestChain } from '../../testing/chains/test-chain.ts'
import { expectLedgerMatchesChain, expectValidLedger } from '../../testing/ledger/expect-ledger.ts'
import { type EngineFixture, startEngineFixture } from '../../testing/operations/engine-fixture.ts'
import { BY_KEY } from '../../testing/operations/requesters.ts'
import type { TestClient } from '../../testing/operations/test-client.ts'
import { USDC } from '../../testing/units.ts'
import { planClaim } from '../operations/index.ts'

const QUEUE = 'erc7540:polygon:USDC'
let dev: TestChain
let engine: EngineFixture
let first: EngineFixture
beforeAll(async () => {
  dev = await startTestChain()
  first = await startEngineFixture(dev)
  engine = first
})
afterAll(async () => {
  await first?.close()
  await dev?.stop()
})

const ledgerOf = ({ wallet, usdcAddress }: TestClient) =>
  engine.db
    .selectFrom('ledger_balances')
    .select(['available', 'deployed', 'exiting', 'yield', 'external'])
    .where('wallet_id', '=', wallet.walletId)
    .where('token_address', '=', usdcAddress)
    .executeTakeFirstOrThrow()

const exitsOf = ({ wallet }: TestClient) =>
  engine.db.selectFrom('exits').selectAll().where('wallet_id', '=', wallet.walletId).orderBy('id').execute()

/** The chain is again as it was at the snapshot, and other blocks follow; a new process follows it. */
async function lose(snapshot: unknown): Promise<void> {
  await dev.rpc('evm_revert', snapshot)
  await dev.mine(9)
  engine = await engine.onChain(dev, () => {})
  await engine.settle()
  await expectValidLedger(engine)
  await expectLedgerMatchesChain(engine)
}

test('a request in lost final blocks is no loss: the money is in the position again', async () => {
  const client = await engine.client({ usdc: 1_000n * USDC })
  await client.complete(await client.supply(400n * USDC, QUEUE))
  const snapshot = await dev.rpc('evm_snapshot')
  const before = await ledgerOf(client)
  await client.complete(await client.unwind('full', QUEUE))
  expect((await ledgerOf(client)).exiting).toBeGreaterThan(399n * USDC)
  await lose(snapshot)
  const after = await ledgerOf(client)
  expect(after).toMatchObject({ available: 600n * USDC, exiting: 0n })
  expect(after.deployed).toBeGreaterThan(399n * USDC)
  // Yield is stored as what came from it.
  expect(before.yield - after.yield).toBeGreaterThanOrEqual(0n)
  expect(before.yield - after.yield).toBeLessThan(USDC)
  expect(await exitsOf(client)).toMatchObject([{ state: 'claimed', pending: 0n, claimable: 0n }])
})

test('a claim in lost final blocks is no gain: the money is in the exit again, and is claimed once', async () => {
  const client = await engine.client({ usdc: 1_000n * USDC })
  await client.complete(await client.supply(400n * USDC, QUEUE))
  await client.complete(await client.unwind('full', QUEUE))
  await dev.setStrategyState(QUEUE, { pendingExits: 'settle' })
  await engine.settle()
  const snapshot = await dev.rpc('evm_snapshot')
  const before = await ledgerOf(client)
  const claim = { scope: client.scope, walletId: client.wallet.walletId, strategyId: engine.strategy(QUEUE).id }
  await client.complete(await planClaim(engine.parts, { ...claim, requestedBy: BY_KEY }))
  expect(await ledgerOf(client)).toMatchObject({ exiting: 0n })
  await lose(snapshot)
  expect(await ledgerOf(client)).toEqual(before)
  expect((await exitsOf(client)).at(-1)).toMatchObject({ state: 'claimable', claimable: before.exiting })
  await dev.included(await client.submitAll(await planClaim(engine.parts, { ...claim, requestedBy: BY_KEY })))
  await engine.settle()
  expect(await client.usdc()).toBe(before.available + before.exiting)
  await expectLedgerMatchesChain(engine)
})
