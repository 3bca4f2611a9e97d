import { beforeEach, expect, test } from 'vitest'
import { createTestAgent, type TestAgent } from '../../../testing/agents/test-agent.ts'
import { anyState } from '../../../testing/operations/any-state.ts'
import { useEngine } from '../../../testing/operations/use-engine.ts'
import { createOperationalWallet, planExplicitMove } from '../../../testing/rebalancing/operational-wallets.ts'
import { USDC } from '../../../testing/units.ts'
import { AGENT_ERROR_LENGTH_MAX } from '../../kernel/index.ts'
import type { OperationalWallet } from '../../wallets/index.ts'
import type { Operation } from '../lifecycle/states/operation.ts'
import { claimTransaction } from './claim-transaction.ts'
import { releaseClaim } from './start-lease.ts'
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
const claimNextOrNone = () =>
  claimTransaction(use.engine.db, {
    organizationId: use.client.scope.organizationId,
    blockchains: ['polygon'],
    leaseToken: 'lease_unused',
    now: use.engine.clock.now(),
  })
const claimNext = async () => (await claimNextOrNone())!
const again = (operation: Operation) => use.client.operation(operation)
const lost = expect.objectContaining({ code: 'LEASE_LOST' })

test('under the only lease, while it is active, the operation fails at once and its bytes stay tracked', async () => {
  const operation = await supply()
  const taken = await agent.pollRequired()
  const report = await agent.failed(taken, { error: 'the signer said no', withToken: false })
  expect(report).toMatchObject({ status: 'FAILED', txHash: null })
  const ended = await again(operation)
  expect(ended).toMatchObject({ state: 'FAILED', failureReason: 'SUBMISSION' })
  expect(ended.transactions[0]).toMatchObject({ status: 'failed', canStillLand: true })
  expect(anyState(ended.transactions[0]!).error).toContain('the signer said no')
  expect((await use.balances()).reserved).toBe(0n)
  const events = await use.engine.db
    .selectFrom('outbox')
    .select('event')
    .where('object_id', '=', operation.operationId)
    .orderBy('id')
    .execute()
  expect(events.map(({ event }) => event)).toEqual(['operation.created', 'operation.executing', 'operation.failed'])
})

test('a reason that is cut in the middle of a character is stored without the rest of it', async () => {
  const operation = await supply()
  const taken = await agent.pollRequired()
  const error = `${'x'.repeat(AGENT_ERROR_LENGTH_MAX - 1)}😀`
  const report = await agent.failed(taken, { error })
  expect(report.error).toBe('x'.repeat(AGENT_ERROR_LENGTH_MAX - 1))
  expect(await agent.failed(taken, { error })).toEqual(report)
  expect(await again(operation)).toMatchObject({ state: 'FAILED', failureReason: 'SUBMISSION' })
})

test('a repeated report returns the first result', async () => {
  await supply()
  const taken = await agent.pollRequired()
  const first = await agent.failed(taken)
  use.engine.clock.advance(MINUTE)
  expect(await agent.failed(taken)).toEqual(first)
})

test('after the lease passed to another agent, or without a token after two leases, a report is refused', async () => {
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

test('a claim that became no lease leaves the latest lease to its agent', async () => {
  const operation = await supply()
  const taken = await agent.pollRequired(1_000)
  use.engine.clock.advance(1_000)
  const claim = await claimNext()
  await releaseClaim(use.engine.db, claim, use.engine.clock.now())
  expect(await agent.failed(taken)).toMatchObject({ status: 'FAILED' })
  expect(await claimNextOrNone(), 'the bytes are withheld').toBeUndefined()
  await use.dev.included(await agent.send(taken))
  await use.engine.settle()
  expect((await again(operation)).transactions[0]!.status).toBe('confirmed')
})

test('a report of a transaction that was never issued is refused', async () => {
  const operation = await supply()
  const taken = await agent.pollRequired()
  const supplyId = operation.transactions[1]!.transactionId
  const wrong = { ...taken, transaction: { ...taken.transaction, transactionId: supplyId } }
  await expect(agent.failed(wrong)).rejects.toEqual(lost)
  await expect(agent.submitted(wrong, `0x${'ab'.repeat(32)}`)).rejects.toEqual(lost)
  const unknown = { ...taken, transaction: { ...taken.transaction, transactionId: 2 ** 40 } }
  await expect(agent.failed(unknown)).rejects.toMatchObject({ code: 'TRANSACTION_NOT_FOUND' })
})

test('after the lease lapsed, the bytes are withheld, and the operation fails once they are dead', async () => {
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

test('without a token, a report does not count for new bytes after a lease of other bytes', async () => {
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

test('under the second lease, what the first agent may have sent does not fail; if it lands, the operation goes on', async () => {
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

test('a withheld operation whose nonce stays unused fails after half an hour, and the next plan takes the nonce', async () => {
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
  const reissued = await other.pollRequired()
  expect(reissued.operation.operationId).toBe(next.operationId)
  expect(reissued.transaction.nonce).toBe(taken.transaction.nonce)
  // Both are sent: one lands.
  await use.dev.withoutMining(async () => {
    await agent.send(taken)
    await other.send(reissued, { feePercent: 150n })
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

test('leased work that no agent requests again within a day is aborted, and a late landing completes it', async () => {
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

test('a partly executed operation that no agent continues within a day is aborted and releases its reservation', async () => {
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

test('after a submission, or once the operation has ended, a report is stored and changes nothing', async () => {
  const operation = await supply()
  const taken = await agent.pollRequired()
  await agent.submitted(taken, await use.dev.included(await agent.send(taken)))
  await agent.failed(taken, { error: 'too late' })
  expect((await again(operation)).state).toBe('EXECUTING')
  await use.engine.settle()
  expect((await again(operation)).transactions[0]!.status).toBe('confirmed')
})
