import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OperationList, Strategy } from '../clients/api-types.ts'
import { expectIssues, expectRefusal } from '../clients/expect-refusal.ts'
import { onChain } from '../clients/on-chain.ts'
import { createFundedWalletClient, createWalletClient } from '../clients/wallet-client.ts'
import { type System, startSystem } from '../service/start-system.ts'

const TOKEN = 1_000_000n

let system: System
let aave: Strategy

beforeAll(async () => {
  system = await startSystem()
  aave = await system.strategy('polygon', 'Aave V3 USDC')
})
afterAll(() => system?.stop())

const fault = (name: unknown, count: unknown, blockchain: unknown = 'polygon') =>
  system.profile.post('/v1/sandbox/chain-faults', { blockchain, fault: name, count })

test('setting a fault returns it; anything that is not a fault is refused', async () => {
  const set = await fault('delay_next', 2)
  expect([set.status, set.body]).toEqual([200, { blockchain: 'polygon', fault: 'delay_next', count: 2 }])
  expect((await fault('delay_next', 0)).body).toMatchObject({ count: 0 })
  expectIssues(await fault('earthquake', 1), 'fault')
  for (const count of [-1, 1_001, 1.5, '1', null]) expectIssues(await fault('rpc_down', count), 'count')
  expectIssues(await fault('rpc_down', 1, 'arbitrum'), 'blockchain')
})

test('rpc_down: plans are CHAIN_UNAVAILABLE and change nothing, reads still work, and count 0 ends it', async () => {
  const holder = await createFundedWalletClient(system.profile, 'polygon', 10n * TOKEN)
  const waiting = await holder.planSupply(aave, 4n * TOKEN)
  const before = await holder.balance('USDC')
  await fault('rpc_down', 1_000)
  const body = holder.supplyOf(aave, 5n * TOKEN)
  expectRefusal(await system.profile.post('/v1/operations/supply', body), 503, 'CHAIN_UNAVAILABLE')
  const idempotencyKey = `down-${holder.walletAddress}`
  expectRefusal(await system.profile.post('/v1/operations/supply', body, { idempotencyKey }), 503, 'CHAIN_UNAVAILABLE')
  expectRefusal(
    await system.profile.post('/v1/operations/unwind', {
      walletId: holder.walletId,
      strategyId: aave.strategyId,
      fullWithdrawal: true,
    }),
    503,
    'CHAIN_UNAVAILABLE',
  )
  // Errors that need no chain still come first.
  expectRefusal(await system.profile.post('/v1/operations/supply', { ...body, amount: '0' }), 400, 'INVALID_AMOUNT')
  const list = await system.profile.get<OperationList>(`/v1/operations?walletId=${holder.walletId}`)
  expect(list.body).toMatchObject({ total: 1, operations: [waiting] })
  expect(await holder.balance('USDC')).toEqual(before)
  const chain = await onChain(system, holder)
  await expect(chain.reader.request({ method: 'eth_blockNumber' }, { retryCount: 0 })).rejects.toThrow()
  expect((await system.as({}).get('/health')).status).toBe(200)

  await fault('rpc_down', 0)
  // A service failure is not stored under the key: the same request is carried out now.
  const done = await system.profile.post('/v1/operations/supply', body, { idempotencyKey })
  expect([done.status, done.headers.get('idempotency-replayed')]).toEqual([201, null])
})

test('rpc_down on submission: bytes are accepted, tracked, and sent when the chain is available again', async () => {
  const holder = await createFundedWalletClient(system.profile, 'polygon', 10n * TOKEN)
  const plan = await holder.planSupply(aave, 10n * TOKEN)
  await fault('rpc_down', 1_000)
  const submitted = await holder.submit(plan, plan.transactions[0]!)
  expect(submitted.status).toBe('pending')
  expect((await holder.read(plan.operationId)).transactions[0]).toMatchObject({
    status: 'pending',
    txHash: submitted.txHash,
  })
  await fault('rpc_down', 0)
  await expect
    .poll(async () => (await holder.read(plan.operationId)).transactions[0]!.status, { timeout: 90_000 })
    .toBe('confirmed')
  await holder.submit(plan, plan.transactions[1]!)
  await holder.waitForStatus(plan.operationId, 'CONFIRMED')
})

test('revert_next: the transaction is REVERTED with its reason, the operation ONCHAIN, its funds free', async () => {
  const holder = await createFundedWalletClient(system.profile, 'polygon', 10n * TOKEN)
  const plan = await holder.planSupply(aave, 10n * TOKEN)
  const [approval, deposit] = plan.transactions
  await holder.submit(plan, approval!)
  await expect
    .poll(async () => (await holder.read(plan.operationId)).transactions[0]!.status, { timeout: 90_000 })
    .toBe('confirmed')
  await fault('revert_next', 1)
  const { txHash } = await holder.submit(plan, deposit!)
  const failed = await holder.waitForStatus(plan.operationId, 'FAILED')
  expect(failed.failureReason).toBe('ONCHAIN')
  expect(failed.transactions[0]).toMatchObject({ status: 'confirmed' })
  expect(failed.transactions[1]).toMatchObject({ status: 'failed', failureCode: 'REVERTED', txHash })
  expect(failed.transactions[1]!.error).toMatch(/\S/)
  expect(failed.transactions[1]!.revertReason).toMatch(/\S/)
  expect(failed.transactions[1]!.blockNumber).toBeGreaterThan(0)
  expect(await holder.balance('USDC')).toMatchObject({ available: '10000000', reserved: '0', deployed: '0' })
  expect((await holder.allocations()).allocations).toEqual([])
  const again = await holder.planSupply(aave, 10n * TOKEN)
  expect(again).not.toHaveProperty('cancelledOperations')
  await holder.carryOut(again)
})

test('revert_next on an approval ends the whole operation and sends no other transaction of it', async () => {
  const holder = await createFundedWalletClient(system.profile, 'polygon', 10n * TOKEN)
  const plan = await holder.planSupply(aave, 10n * TOKEN)
  await fault('revert_next', 1)
  await holder.submit(plan, plan.transactions[0]!)
  const failed = await holder.waitForStatus(plan.operationId, 'FAILED')
  expect(failed.transactions.map(({ status, failureCode }) => [status, failureCode])).toEqual([
    ['failed', 'REVERTED'],
    ['failed', undefined],
  ])
  expect(failed.transactions[1]).not.toHaveProperty('unsignedTransaction')
  expect(failed.transactions[1]).not.toHaveProperty('txHash')
  expect(await holder.balance('USDC')).toMatchObject({ available: '10000000', reserved: '0' })
})

test('delay_next: a delayed transaction is pending, with its hash and no block, before it is confirmed', async () => {
  const holder = await createFundedWalletClient(system.profile, 'polygon', 10n * TOKEN)
  const plan = await holder.planSupply(aave, 10n * TOKEN)
  const [approval, deposit] = plan.transactions
  await holder.submit(plan, approval!)
  await fault('delay_next', 1)
  const { txHash } = await holder.submit(plan, deposit!)
  const held = await holder.read(plan.operationId)
  expect(held.status).toBe('SUBMITTED')
  expect(held.transactions[1]).toEqual({
    id: deposit!.id,
    blockchain: 'polygon',
    status: 'pending',
    description: deposit!.description,
    txHash,
  })
  expect(await holder.balance('USDC')).toMatchObject({ available: '0', reserved: '10000000' })
  const done = await holder.waitForStatus(plan.operationId, 'CONFIRMED')
  expect(done.transactions[1]!.blockNumber! - done.transactions[0]!.blockNumber!).toBeGreaterThanOrEqual(20)
})

test('simulation_fails: one plan is SIMULATION_FAILED with the reason, and nothing is reserved', async () => {
  const holder = await createFundedWalletClient(system.profile, 'polygon', 10n * TOKEN)
  await fault('simulation_fails', 1)
  const body = holder.supplyOf(aave, 10n * TOKEN)
  const details = expectRefusal(await system.profile.post('/v1/operations/supply', body), 400, 'SIMULATION_FAILED')
  expect(details.reason).toMatch(/\S/)
  expect(await holder.balance('USDC')).toMatchObject({ available: '10000000', reserved: '0' })
  expect((await system.profile.post('/v1/operations/supply', body)).status).toBe(201)
})

test('faults affect registered wallets only, never the faucet', async () => {
  for (const name of ['drop_next', 'revert_next', 'delay_next']) await fault(name, 1)
  const holder = await createWalletClient(system.profile, 'polygon')
  await holder.fund('USDC', 5n * TOKEN)
  expect(await holder.balance('USDC')).toMatchObject({ available: '5000000' })
  for (const name of ['drop_next', 'revert_next', 'delay_next']) await fault(name, 0)
})
