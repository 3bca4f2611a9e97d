// Also tested elsewhere: hashes of other transactions (submission/link-reported-hash.test.ts), late landings
// (late-landing.test.ts), landings in general (settle-landed.test.ts), and two plans with one nonce
// (watch/finality.test.ts).
import { keccak256 } from 'viem'
import { expect, test } from 'vitest'
import { anyState } from '../../../../testing/operations/any-state.ts'
import { partsThatDieBeforeSending, pendingSupply, supplyOf } from '../../../../testing/operations/pending-supply.ts'
import { useEngine } from '../../../../testing/operations/use-engine.ts'
import { USDC } from '../../../../testing/units.ts'
import { settleBlock, submitSigned } from '../../index.ts'

const use = useEngine()

test('REPLACED: another transaction used the nonce of a known transaction; the reservation is released', async () => {
  const plan = await pendingSupply(use)
  await use.dev.rpc('anvil_dropTransaction', supplyOf(plan).txHash)
  const hash = await use.client.useNonce()
  await use.engine.settle()
  await use.dev.mineAtOnce(true)
  await use.engine.settle()
  const ended = await use.client.operation(plan)
  expect(ended).toMatchObject({ state: 'FAILED', failureReason: 'ONCHAIN' })
  expect(supplyOf(ended)).toMatchObject({ status: 'failed', failureCode: 'REPLACED' })
  expect(supplyOf(ended).error).toContain(hash)
  expect((await use.balances()).available).toBe(1_000n)
})

test('NONCE_TOO_LOW: another transaction used the nonce of one that no node ever knew', async () => {
  const plan = await use.client.supply(100n * USDC)
  const [first] = plan.transactions
  const lost = submitSigned(partsThatDieBeforeSending(use.engine), {
    scope: use.client.scope,
    operationId: plan.operationId,
    signedTransaction: await use.client.sign(first!),
  })
  await expect(lost).rejects.toThrow('died')
  use.engine.clock.advance(5_000)
  const hash = await use.client.useNonce()
  await use.engine.settle()
  const ended = await use.client.operation(plan)
  expect(ended.state).toBe('FAILED')
  expect(ended.transactions[0]).toMatchObject({ failureCode: 'NONCE_TOO_LOW' })
  expect(anyState(ended.transactions[0]!).error).toContain(hash)
})

test('the same plan that the client sent with higher fees is linked under its new hash', async () => {
  const plan = await pendingSupply(use)
  const raw = await use.client.sign(supplyOf(plan), { feePercent: 150n })
  await use.dev.sendRaw(raw)
  await use.dev.mineAtOnce(true)
  await use.engine.settle()
  const done = await use.client.operation(plan)
  expect(done.state).toBe('COMPLETED')
  expect(supplyOf(done).txHash).toBe(keccak256(raw))
})

test('an unreported transaction is matched by its content and completes its operation', async () => {
  const plan = await use.client.supply(100n * USDC)
  for (const transaction of plan.transactions) await use.dev.included(await use.client.send(transaction))
  await use.engine.settle()
  const done = await use.client.operation(plan)
  expect(done).toMatchObject({ state: 'COMPLETED', settledAmount: 100n * USDC })
  expect(done.transactions.map(({ status }) => status)).toEqual(['confirmed', 'confirmed'])
  expect(done.transactions.map(anyState).every(({ txHash }) => txHash !== null)).toBe(true)
})

test('REVERTED: the operation fails with the contract’s reason, and the reservation is released', async () => {
  const plan = await pendingSupply(use)
  // The wallet is empty when the block is mined.
  await use.dev.rpc('anvil_dealERC20', use.client.address, use.client.usdcAddress, '0x0')
  await use.dev.mineAtOnce(true)
  await use.engine.settle()
  const ended = await use.client.operation(plan)
  expect(ended).toMatchObject({ state: 'FAILED', failureReason: 'ONCHAIN' })
  expect(supplyOf(ended)).toMatchObject({ status: 'failed', failureCode: 'REVERTED' })
  expect(supplyOf(ended).revertReason).toMatch(/balance/i)
  expect(supplyOf(ended).blockNumber).not.toBeNull()
  const [reservation] = await use.engine.db
    .selectFrom('reservations')
    .select('released_at')
    .where('operation_id', '=', plan.operationId)
    .execute()
  expect(reservation!.released_at).not.toBeNull()
})

test('OUT_OF_GAS: the operation fails on chain', async () => {
  const plan = await use.client.supply(100n * USDC)
  await use.client.submit(plan, await use.client.sign(plan.transactions[0]!))
  await use.engine.settle()
  const raw = await use.client.sign(plan.transactions[1]!, { change: { gas: 24_000n } })
  await use.client.submit(plan, raw)
  await use.engine.settle()
  const ended = await use.client.operation(plan)
  expect(ended).toMatchObject({ state: 'FAILED', failureReason: 'ONCHAIN' })
  expect(supplyOf(ended)).toMatchObject({ failureCode: 'OUT_OF_GAS' })
  expect((await use.balances()).available).toBe(1_000n)
})

test('a final block that two processes settle at once fails the transaction once, with one event', async () => {
  const plan = await pendingSupply(use)
  await use.dev.rpc('anvil_dealERC20', use.client.address, use.client.usdcAddress, '0x0')
  await use.dev.mineAtOnce(true)
  await use.dev.mine(1)
  await use.dev.included(supplyOf(plan).txHash!)
  const [lookup] = await use.engine.chain.findTransactions([supplyOf(plan).txHash!])
  const block = (await use.engine.chain.block(lookup!.blockNumber!))!
  const after = await use.engine.settledBlock()
  await Promise.all([1, 2].map(() => settleBlock(use.engine.parts, use.engine.chain, block, after)))
  expect(await use.client.operation(plan)).toMatchObject({ state: 'FAILED', failureReason: 'ONCHAIN' })
  const events = use.engine.db.selectFrom('outbox').select('event').where('event', '=', 'operation.failed')
  expect(await events.where('object_id', '=', plan.operationId).execute()).toHaveLength(1)
  expect(await use.engine.db.selectFrom('quarantined_wallets').selectAll().execute()).toEqual([])
})
