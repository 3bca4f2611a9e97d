import { beforeEach, expect, test } from 'vitest'
import { createTestAgent, type TestAgent } from '../../../testing/agents/test-agent.ts'
import { useEngine } from '../../../testing/operations/use-engine.ts'
import { createOperationalWallet, planExplicitMove } from '../../../testing/rebalancing/operational-wallets.ts'
import { USDC } from '../../../testing/units.ts'
import { AGENT_HASHES_STORED_MAX, Failure } from '../../kernel/index.ts'
import type { OperationalWallet } from '../../wallets/index.ts'
import type { Operation } from '../lifecycle/states/operation.ts'
import { reportSubmitted } from './report-submitted.ts'

const use = useEngine()
let wallet: OperationalWallet
let agent: TestAgent

beforeEach(async () => {
  wallet = await createOperationalWallet(use.engine, use.client)
  agent = createTestAgent(use.engine, use.client)
})

const supply = (amount = 600n * USDC) => planExplicitMove(use.engine, wallet, { type: 'SUPPLY', amount })
const again = (operation: Operation) => use.client.operation(operation)
const stageOf = async (transactionId: number) =>
  (
    await use.engine.db
      .selectFrom('agent_work')
      .select('stage')
      .where('transaction_id', '=', transactionId)
      .executeTakeFirstOrThrow()
  ).stage

test('a hash that is not valid on its chain is refused', async () => {
  await supply()
  const taken = await agent.pollRequired()
  await expect(agent.submitted(taken, '0x12')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
})

test('a repeated report returns the first result and leaves one hash', async () => {
  await supply()
  const taken = await agent.pollRequired()
  const hash = await agent.send(taken)
  const first = await agent.submitted(taken, hash)
  expect(first).toMatchObject({ status: 'SUBMITTED', txHash: hash })
  use.engine.clock.advance(60_000)
  expect(await agent.submitted(taken, hash)).toEqual(first)
  const hashes = await use.engine.db
    .selectFrom('transaction_hashes')
    .selectAll()
    .where('transaction_id', '=', taken.transaction.transactionId)
    .execute()
  expect(hashes).toHaveLength(1)
})

test('a hash of another transaction of the organization is refused', async () => {
  const operation = await supply()
  const first = await agent.pollRequired()
  const hash = await use.dev.included(await agent.send(first))
  await agent.submitted(first, hash)
  await use.engine.settle()
  const second = await agent.pollRequired()
  await expect(agent.submitted(second, hash)).rejects.toMatchObject({ code: 'OPERATION_ALREADY_SUBMITTED' })
  expect((await again(operation)).state).toBe('EXECUTING')
})

test('two agents whose signatures differ report two hashes, and the one that lands counts', async () => {
  const operation = await supply()
  const first = await agent.pollRequired(1_000)
  use.engine.clock.advance(1_000)
  const second = await createTestAgent(use.engine, use.client).pollRequired()
  await use.dev.withoutMining(async () => {
    const one = await agent.send(first)
    await agent.submitted(first, one)
    const two = await agent.send(second, { feePercent: 120n })
    await agent.submitted(second, two)
    expect(two).not.toBe(one)
    await use.dev.mine(1)
    await use.engine.settle()
    expect((await again(operation)).transactions[0]).toMatchObject({ status: 'confirmed', txHash: two })
  })
})

test('a report after the lease passed to another agent is accepted, and that agent does not get the work again', async () => {
  await supply()
  const first = await agent.pollRequired(1_000)
  use.engine.clock.advance(1_000)
  const second = await createTestAgent(use.engine, use.client).pollRequired(1_000)
  await use.dev.withoutMining(async () => {
    await agent.submitted(first, await agent.send(first))
    expect(await stageOf(second.transaction.transactionId)).toBe('sent')
    use.engine.clock.advance(1_000)
    expect(await agent.poll()).toBeUndefined()
    await use.dev.mine(1)
  })
})

test('a report for an ended operation is accepted, and completes it when the transaction is final', async () => {
  const operation = await supply()
  const first = await agent.pollRequired()
  await agent.submitted(first, await use.dev.included(await agent.send(first)))
  await use.engine.settle()
  const second = await agent.pollRequired()
  await agent.failed(second)
  expect((await again(operation)).state).toBe('FAILED')
  const hash = await use.dev.included(await agent.send(second))
  await use.engine.settle()
  expect((await agent.submitted(second, hash)).status).toBe('SUBMITTED')
  expect(await again(operation)).toMatchObject({ state: 'COMPLETED', failureReason: 'SUBMISSION' })
})

test('a withdrawal that lands after a reported failure aborts later plans and releases their reservations', async () => {
  await agent.carryOut(await supply())
  const withdrawal = await planExplicitMove(use.engine, wallet, { type: 'UNWIND', amount: 200n * USDC })
  const taken = await agent.pollRequired()
  await agent.failed(taken)
  const planned = await supply(300n * USDC)
  await agent.submitted(taken, await use.dev.included(await agent.send(taken)))
  await use.engine.settle()
  expect(await again(withdrawal)).toMatchObject({ state: 'COMPLETED', failureReason: 'SUBMISSION' })
  expect(await again(planned)).toMatchObject({ state: 'ABORTED' })
  expect(await use.balances()).toMatchObject({ available: 600n, reserved: 0n })
})

test('a hash of another transaction flags the operation and fails it, whenever it is reported', async () => {
  const operation = await supply()
  const taken = await agent.pollRequired()
  const wrong = await use.dev.included(await use.client.spend(1n * USDC))
  await use.engine.settle()
  await agent.submitted(taken, wrong)
  await use.engine.settle()
  const ended = await again(operation)
  expect(ended).toMatchObject({ state: 'FAILED', flagReason: `TRANSACTION_MISMATCH: ${wrong}` })
})

test('a report of somebody else’s transaction reads no block, however often it is repeated', async () => {
  const foreign = await use.dev.included(await use.client.useNonce())
  await use.engine.settle()
  await supply()
  const taken = await agent.pollRequired()
  let blocks = 0
  const block: typeof use.engine.chain.block = (number) => {
    blocks += 1
    return use.engine.chain.block(number)
  }
  const chains = new Map([[use.engine.chain.network.blockchain, { ...use.engine.chain, block }]])
  const { organizationId } = wallet
  const { transactionId } = taken.transaction
  for (const _ of [1, 2, 3])
    await reportSubmitted({ ...use.engine.parts, chains }, { organizationId, transactionId, txHash: foreign })
  expect(blocks).toBe(0)
})

test('agents can report while the chain is unavailable', async () => {
  await supply()
  const taken = await agent.pollRequired()
  const hash = await agent.send(taken)
  const { chain } = use.engine
  const unavailable = { ...chain, findTransactions: () => Promise.reject(new Failure('CHAIN_UNAVAILABLE')) }
  const disconnected = createTestAgent(use.engine, use.client, {
    ...use.engine.parts,
    chains: new Map([['polygon', unavailable]]),
  })
  expect((await disconnected.submitted(taken, hash)).txHash).toBe(hash)
})

test('the hash that counts and the newest others are kept, so that reports do not multiply requests to nodes', async () => {
  await supply()
  const taken = await agent.pollRequired()
  const first = await agent.send(taken)
  await agent.submitted(taken, first)
  const others = Array.from({ length: 2 * AGENT_HASHES_STORED_MAX }, (_, at) => `0x${String(at).padStart(64, '0')}`)
  for (const hash of others) {
    use.engine.clock.advance(1)
    await agent.submitted(taken, hash)
  }
  const stored = await use.engine.db
    .selectFrom('transaction_hashes')
    .select('tx_hash')
    .where('transaction_id', '=', taken.transaction.transactionId)
    .orderBy('created_at')
    .execute()
  expect(stored.map(({ tx_hash }) => tx_hash)).toEqual([first, ...others.slice(-AGENT_HASHES_STORED_MAX)])
  await use.dev.included(first)
  await use.engine.settle()
  expect(await stageOf(taken.transaction.transactionId)).toBe('done')
})
