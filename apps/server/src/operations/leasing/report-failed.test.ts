import { beforeEach, expect, test } from 'vitest'
import { anyState } from '../../../testing/any-state.ts'
import { createOperationalWallet, planExplicitMove } from '../../../testing/operational-wallets.ts'
import { createTestAgent, type TestAgent } from '../../../testing/test-agent.ts'
import { USDC } from '../../../testing/units.ts'
import { useEngine } from '../../../testing/use-engine.ts'
import type { OperationalWallet } from '../../wallets/index.ts'
import type { Operation } from '../lifecycle/operation.ts'
import { abortAbandonedOperations, failWithheldOperations } from './sweep-agent-work.ts'

const use = useEngine()
const MINUTE = 60_000
let wallet: OperationalWallet
let agent: TestAgent
let other: TestAgent

beforeEach(async () => {
  wallet = await createOperationalWallet(use.engine, use.client)
  agent = createTestAgent(use.engine, use.client)
  other = createTestAgent(use.engine, use.client)
})

const supply = (amount = 600n * USDC) => planExplicitMove(use.engine, wallet, { type: 'SUPPLY', amount })
const again = (operation: Operation) => use.client.operation(operation)
const lost = expect.objectContaining({ code: 'LEASE_LOST' })

test('of the only lease that there was, while it is held, it fails the operation at once; its bytes stay watched', async () => {
  const operation = await supply()
  const taken = await agent.pollRequired()
  const report = await agent.failed(taken, { error: 'the signer said no', withToken: false })
  expect(report).toMatchObject({ status: 'FAILED', txHash: null })
  const ended = await again(operation)
  expect(ended).toMatchObject({ state: 'FAILED', failureReason: 'SUBMISSION' })
  expect(ended.transactions[0]).toMatchObject({ status: 'failed', canStillLand: true })
  expect(anyState(ended.transactions[0]!).error).toContain('the signer said no')
  expect((await use.balances()).reserved).toBe(0n)
  const told = await use.engine.db
    .selectFrom('outbox')
    .select('event')
    .where('object_id', '=', operation.operationId)
    .orderBy('id')
    .execute()
  expect(told.map(({ event }) => event)).toEqual(['operation.created', 'operation.executing', 'operation.failed'])
})

test('made twice, it gets the first answer again', async () => {
  await supply()
  const taken = await agent.pollRequired()
  const first = await agent.failed(taken)
  use.engine.clock.advance(MINUTE)
  expect(await agent.failed(taken)).toEqual(first)
})

test('after the lease passed to another, or without a token when it was leased twice, it is refused and changes nothing', async () => {
  const operation = await supply()
  const first = await agent.pollRequired(1_000)
  use.engine.clock.advance(1_000)
  const second = await other.pollRequired()
  await expect(agent.failed(first)).rejects.toEqual(lost)
  await expect(agent.failed(first, { withToken: false })).rejects.toEqual(lost)
  await expect(other.failed(second, { withToken: false })).rejects.toEqual(lost)
  expect((await again(operation)).state).toBe('EXECUTING')
  await other.submitted(second, await use.dev.included(await other.send(second)))
  await use.engine.settle()
  expect((await again(operation)).transactions[0]!.status).toBe('confirmed')
})

test('of something that was never handed out it is refused', async () => {
  const operation = await supply()
  const taken = await agent.pollRequired()
  const supplyId = operation.transactions[1]!.transactionId
  const wrong = { ...taken, transaction: { ...taken.transaction, transactionId: supplyId } }
  await expect(agent.failed(wrong)).rejects.toEqual(lost)
  await expect(agent.submitted(wrong, `0x${'ab'.repeat(32)}`)).rejects.toEqual(lost)
  const unknown = { ...taken, transaction: { ...taken.transaction, transactionId: 2 ** 40 } }
  await expect(agent.failed(unknown)).rejects.toMatchObject({ code: 'TRANSACTION_NOT_FOUND' })
})

test('of a lease that lapsed it keeps the bytes from everybody, and the operation fails when they are dead', async () => {
  const operation = await supply()
  const taken = await agent.pollRequired(1_000)
  use.engine.clock.advance(1_000)
  await agent.failed(taken)
  expect((await again(operation)).state).toBe('EXECUTING')
  expect(await other.poll()).toBeUndefined()
  expect(await failWithheldOperations(use.engine.parts)).toBe(0)
  await use.dev.included(await use.client.useNonce())
  await use.engine.settle()
  expect(await failWithheldOperations(use.engine.parts)).toBe(1)
  expect(await again(operation)).toMatchObject({ state: 'FAILED', failureReason: 'SUBMISSION' })
  expect((await use.balances()).reserved).toBe(0n)
})

test('without a token it says nothing of new bytes when the transaction was leased with others before', async () => {
  const operation = await supply()
  const first = await agent.pollRequired(1_000)
  use.engine.clock.advance(1_000)
  await use.dev.included(await use.client.useNonce())
  await use.engine.settle()
  const second = await other.pollRequired()
  expect(second.transaction.nonce).toBeGreaterThan(first.transaction.nonce!)
  await expect(agent.failed(first, { withToken: false })).rejects.toEqual(lost)
  expect((await again(operation)).state).toBe('EXECUTING')
  await other.failed(second)
  expect(await again(operation)).toMatchObject({ state: 'FAILED', failureReason: 'SUBMISSION' })
})

test('of the second lease it does not fail what the first agent may have sent: when that lands, the operation goes on', async () => {
  const operation = await supply()
  const first = await agent.pollRequired(1_000)
  use.engine.clock.advance(1_000)
  const second = await other.pollRequired()
  const hash = await agent.send(first)
  await other.failed(second)
  expect(await other.poll()).toBeUndefined()
  await use.dev.included(hash)
  await use.engine.settle()
  expect((await again(operation)).transactions[0]).toMatchObject({ status: 'confirmed', txHash: hash })
  const last = await other.pollRequired()
  expect(last.transaction.kind).toBe('supply')
  await other.submitted(last, await use.dev.included(await other.send(last)))
  await use.engine.settle()
  expect((await again(operation)).state).toBe('COMPLETED')
})

test('where nothing ever uses the nonce, a withheld operation ends after half an hour, and the next plan takes the nonce', async () => {
  const operation = await supply()
  const taken = await agent.pollRequired(1_000)
  use.engine.clock.advance(1_000)
  await agent.failed(taken)
  use.engine.clock.advance(29 * MINUTE)
  expect(await failWithheldOperations(use.engine.parts)).toBe(0)
  use.engine.clock.advance(MINUTE)
  expect(await failWithheldOperations(use.engine.parts)).toBe(1)
  expect(await again(operation)).toMatchObject({ state: 'FAILED', failureReason: 'SUBMISSION' })
  expect((await again(operation)).transactions[0]!.canStillLand).toBe(true)

  const next = await supply(500n * USDC)
  const anew = await other.pollRequired()
  expect(anew.operation.operationId).toBe(next.operationId)
  expect(anew.transaction.nonce).toBe(taken.transaction.nonce)
  // Both are sent: one lands.
  await use.dev.withoutMining(async () => {
    await agent.send(taken)
    await other.send(anew, { feePercent: 150n })
    await use.dev.mine(1)
  })
  await use.engine.settle()
  expect((await again(next)).transactions[0]!.status).toBe('confirmed')
  expect((await again(operation)).state).toBe('FAILED')
  const last = await other.pollRequired()
  await other.submitted(last, await use.dev.included(await other.send(last)))
  await use.engine.settle()
  expect(await use.balances()).toEqual({ available: 500n, reserved: 0n, deployed: 500n })
})

test('what an agent had and nobody asked for again in a day is aborted, its bytes watched; landing late completes it', async () => {
  const operation = await supply()
  const first = await agent.pollRequired()
  await agent.submitted(first, await use.dev.included(await agent.send(first)))
  await use.engine.settle()
  const second = await agent.pollRequired()
  use.engine.clock.advance(23 * 60 * MINUTE)
  await abortAbandonedOperations(use.engine.parts)
  expect((await again(operation)).state).toBe('EXECUTING')
  use.engine.clock.advance(61 * MINUTE)
  await abortAbandonedOperations(use.engine.parts)
  expect(await again(operation)).toMatchObject({ state: 'ABORTED', failureReason: 'ABORTED' })
  const hash = await use.dev.included(await agent.send(second))
  await agent.submitted(second, hash)
  await use.engine.settle()
  expect(await again(operation)).toMatchObject({ state: 'COMPLETED', failureReason: 'ABORTED' })
  expect(await use.balances()).toEqual({ available: 400n, reserved: 0n, deployed: 600n })
})

test('what was carried out in part, and whose next step nobody came for in a day, is aborted and gives back what it held', async () => {
  const operation = await supply()
  const first = await agent.pollRequired()
  await agent.submitted(first, await use.dev.included(await agent.send(first)))
  await use.engine.settle()
  use.engine.clock.advance(23 * 60 * MINUTE)
  await abortAbandonedOperations(use.engine.parts)
  expect((await again(operation)).state).toBe('EXECUTING')
  use.engine.clock.advance(60 * MINUTE)
  await abortAbandonedOperations(use.engine.parts)
  expect(await again(operation)).toMatchObject({ state: 'ABORTED', failureReason: 'ABORTED' })
  expect((await use.balances()).reserved).toBe(0n)
})

test('after a submission, or once the operation ended, it is kept and changes nothing', async () => {
  const operation = await supply()
  const taken = await agent.pollRequired()
  await agent.submitted(taken, await use.dev.included(await agent.send(taken)))
  await agent.failed(taken, { error: 'too late' })
  expect((await again(operation)).state).toBe('EXECUTING')
  await use.engine.settle()
  expect((await again(operation)).transactions[0]!.status).toBe('confirmed')
})
