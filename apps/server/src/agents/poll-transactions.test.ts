import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { createOperationalWallet, planExplicitMove } from '../../testing/operational-wallets.ts'
import { createTestAgent, LEASE_MS, type TestAgent } from '../../testing/test-agent.ts'
import { USDC } from '../../testing/units.ts'
import { useEngine } from '../../testing/use-engine.ts'
import { decodeUnsigned } from '../chains/index.ts'
import { Failure, systemRandomSource } from '../kernel/index.ts'
import type { Operation } from '../operations/index.ts'
import { type OperationalWallet, updateOperationalWallet } from '../wallets/index.ts'
import { createTransactionPolls } from './poll-transactions.ts'

const use = useEngine()
let wallet: OperationalWallet
let agent: TestAgent

beforeEach(async () => {
  wallet = await createOperationalWallet(use.engine, use.client)
  agent = createTestAgent(use.engine, use.client)
})

const supply = (amount = 600n * USDC) => planExplicitMove(use.engine, wallet, { type: 'SUPPLY', amount })
const unwind = (amount: bigint | null) => planExplicitMove(use.engine, wallet, { type: 'UNWIND', amount })
const again = (operation: Operation) => use.client.operation(operation)

test('an agent carries an operation out: the approval first, then the supply, then all of it back', async () => {
  const operation = await supply()
  expect(operation.transactions.map(({ kind }) => kind)).toEqual(['approve', 'supply'])
  const first = await agent.pollRequired()
  expect(first.transaction.kind).toBe('approve')
  expect(first.transaction.canStillLand).toBe(true)
  expect(await agent.poll(), 'the supply waits for its approval').toBeUndefined()
  await use.dev.withoutMining(async () => {
    await agent.submitted(first, await agent.send(first))
    expect(await agent.poll(), 'while it is in no block').toBeUndefined()
    await use.dev.mine(1)
    await use.engine.followOnce()
  })
  const second = await agent.pollRequired()
  expect(second.transaction.kind).toBe('supply')
  expect(second.transaction.nonce).toBe(first.transaction.nonce! + 1)
  await agent.submitted(second, await use.dev.included(await agent.send(second)))
  expect((await again(operation)).state).toBe('CONFIRMING')
  await use.engine.settle()
  expect((await again(operation)).state).toBe('COMPLETED')
  expect(await use.balances()).toEqual({ available: 400n, reserved: 0n, deployed: 600n })

  const back = await agent.carryOut(await unwind(null))
  expect(back.state).toBe('COMPLETED')
  expect((await use.balances()).deployed).toBe(0n)
})

test('two agents that ask at once get one transaction between them', async () => {
  await supply()
  const other = createTestAgent(use.engine, use.client)
  const taken = await Promise.all([agent.poll(), other.poll(), agent.poll(), other.poll()])
  expect(taken.filter(Boolean)).toHaveLength(1)
})

test('when nothing waits, a poll writes nothing', async () => {
  await use.engine.db.transaction().execute(async (tx) => {
    expect(await createTestAgent(use.engine, use.client, { ...use.engine.parts, db: tx }).poll()).toBeUndefined()
    const { rows } = await sql<{ id: string | null }>`select pg_current_xact_id_if_assigned()::text as id`.execute(tx)
    expect(rows).toEqual([{ id: null }])
  })
})

test('a lapsed lease is followed by the same bytes, and both agents together have one effect', async () => {
  const operation = await supply()
  const first = await agent.pollRequired(1_000)
  use.engine.clock.advance(1_001)
  const second = await createTestAgent(use.engine, use.client).pollRequired()
  expect(second.transaction.unsignedBytes).toBe(first.transaction.unsignedBytes)
  expect(second.lease.leaseToken).not.toBe(first.lease.leaseToken)
  const hash = await agent.send(first)
  await agent.submitted(first, hash)
  await agent.submitted(second, hash)
  await use.dev.included(hash)
  await use.engine.settle()
  expect((await again(operation)).transactions[0]!.state).toBe('confirmed')
  const last = await agent.pollRequired()
  await agent.submitted(last, await use.dev.included(await agent.send(last)))
  await use.engine.settle()
  expect(await use.balances()).toEqual({ available: 400n, reserved: 0n, deployed: 600n })
})

test('a lapsed lease of bytes that pay too little is followed by the same nonce with new fees', async () => {
  await supply()
  const first = await agent.pollRequired(1_000)
  use.engine.clock.advance(1_001)
  const high = decodeUnsigned(first.transaction.unsignedBytes).maxFeePerGas * 3n
  await use.dev.rpc('anvil_setNextBlockBaseFeePerGas', `0x${high.toString(16)}`)
  await use.dev.mine(1)
  const second = await agent.pollRequired()
  expect(second.transaction.nonce).toBe(first.transaction.nonce)
  expect(decodeUnsigned(second.transaction.unsignedBytes).maxFeePerGas).toBeGreaterThan(high)
})

test('bytes whose nonce something else used are given to nobody until that is settled, then built anew', async () => {
  const operation = await supply()
  const first = await agent.pollRequired(1_000)
  await use.dev.included(await use.client.useNonce())
  use.engine.clock.advance(1_001)
  expect(await agent.poll(), 'while it is not settled').toBeUndefined()
  await use.engine.settle()
  use.engine.clock.advance(2_000)
  const second = await agent.pollRequired()
  expect(second.transaction.nonce).toBe(first.transaction.nonce! + 1)
  await agent.submitted(second, await use.dev.included(await agent.send(second)))
  await use.engine.settle()
  await agent.pollRequired().then(async (last) => agent.submitted(last, await use.dev.included(await agent.send(last))))
  await use.engine.settle()
  expect((await again(operation)).state).toBe('COMPLETED')
})

test('a claim that never came to its end hands out nothing, and lapses', async () => {
  const operation = await supply()
  const { chain } = use.engine
  const silent = { ...chain, sender: () => Promise.reject(new Error('the process died here')) }
  const dying = createTestAgent(use.engine, use.client, {
    ...use.engine.parts,
    chains: new Map([['polygon', silent as typeof chain]]),
  })
  expect(await dying.poll()).toBeUndefined()
  expect((await again(operation)).transactions.every(({ canStillLand }) => !canStillLand)).toBe(true)
  use.engine.clock.advance(LEASE_MS)
  expect((await agent.pollRequired()).transaction.canStillLand).toBe(true)
})

test('what a strategy that was paused since would have taken is aborted, and its money is free again', async () => {
  const operation = await supply()
  const strategy = use.engine.db.updateTable('strategies').where('id', '=', operation.strategyId)
  await strategy.set({ status: 'paused' }).execute()
  try {
    expect(await agent.poll()).toBeUndefined()
  } finally {
    await strategy.set({ status: 'active' }).execute()
  }
  expect(await again(operation)).toMatchObject({ state: 'ABORTED', failureReason: 'ABORTED' })
  expect((await use.balances()).reserved).toBe(0n)
})

test('what would leave less than the buffer now is aborted: nothing goes below it by our act', async () => {
  const operation = await supply()
  const { organizationId, opWalletId } = wallet
  const left = ((await use.client.usdc()) - 600n * USDC) / USDC
  await updateOperationalWallet(use.engine.parts, { organizationId, opWalletId, bufferAmount: `${left}.000001` })
  expect(await agent.poll()).toBeUndefined()
  expect(await again(operation)).toMatchObject({ state: 'ABORTED', failureReason: 'ABORTED' })
})

test('what would be withdrawn for a buffer that is full by now is aborted; what somebody asked for is carried out', async () => {
  await agent.carryOut(await supply())
  const { organizationId, opWalletId } = wallet
  await updateOperationalWallet(use.engine.parts, { organizationId, opWalletId, bufferAmount: '500' })
  const operation = await planExplicitMove(use.engine, wallet, {
    type: 'UNWIND',
    amount: 100n * USDC,
    origin: 'rebalancer',
  })
  await use.dev.included(await use.client.receive(100n * USDC))
  expect(await agent.poll()).toBeUndefined()
  expect(await again(operation)).toMatchObject({ state: 'ABORTED', failureReason: 'ABORTED' })
  await use.engine.settle()
  expect((await agent.carryOut(await unwind(50n * USDC))).state).toBe('COMPLETED')
})

test('a buffer that is raised while the plan is checked counts: no bytes leave that would go below it', async () => {
  const operation = await supply()
  const { organizationId, opWalletId } = wallet
  const raise = () => updateOperationalWallet(use.engine.parts, { organizationId, opWalletId, bufferAmount: '999999' })
  const polygon = use.engine.parts.chains.get('polygon')!
  const slow = new Proxy(polygon, {
    get: (chain, name, receiver) =>
      name === 'simulate'
        ? async (...asked: Parameters<typeof chain.simulate>) => {
            use.engine.clock.advance(1)
            await raise()
            return chain.simulate(...asked)
          }
        : Reflect.get(chain, name, receiver),
  })
  const parts = { ...use.engine.parts, chains: new Map([...use.engine.parts.chains, ['polygon', slow]]) }
  expect(await createTestAgent(use.engine, use.client, parts).poll()).toBeUndefined()
  use.engine.clock.advance(60_000)
  expect(await createTestAgent(use.engine, use.client).poll()).toBeUndefined()
  expect(await use.client.operation(operation)).toMatchObject({ state: 'ABORTED' })
})

test('an approval that was given elsewhere since is not asked for again', async () => {
  const operation = await supply(100n * USDC)
  const [approval] = operation.transactions
  const call = approval!.call
  if (call.family !== 'evm') throw new Error('polygon is an EVM chain')
  await use.dev.included(await use.dev.call(use.client.account, call.to, call.data as `0x${string}`))
  const first = await agent.pollRequired()
  expect(first.transaction.kind).toBe('supply')
  expect(first.transaction.transactionId).toBe(operation.transactions[1]!.transactionId)
  await agent.submitted(first, await use.dev.included(await agent.send(first)))
  await use.engine.settle()
  expect(await again(operation)).toMatchObject({ state: 'COMPLETED', amount: 100n * USDC })
})

test('a simulation that reverts aborts only at the third time, over five minutes', async () => {
  const operation = await supply()
  const { chain } = use.engine
  const failing = { ...chain, simulate: async () => ({ ok: false, index: 0, reason: 'no', code: 'REVERTED' }) as const }
  const parts = { ...use.engine.parts, chains: new Map([['polygon', failing]]) }
  const unlucky = createTestAgent(use.engine, use.client, parts)
  for (const wait of [0, 10_000, 290_000]) {
    expect((await again(operation)).state).toBe('EXECUTING')
    use.engine.clock.advance(wait)
    expect(await unlucky.poll()).toBeUndefined()
  }
  expect(await again(operation)).toMatchObject({ state: 'ABORTED' })
})

test('a chain that does not answer leaves everything as it is, and keeps nobody from the work on another', async () => {
  const operation = await supply()
  const { chain } = use.engine
  let asked = 0
  const down = {
    ...chain,
    sender: async () => {
      asked += 1
      throw new Failure('CHAIN_UNAVAILABLE')
    },
  }
  const parts = {
    ...use.engine.parts,
    chains: new Map([
      ['polygon', down],
      ['base', chain],
    ]),
  }
  const patient = createTestAgent(use.engine, use.client, parts as typeof use.engine.parts)
  expect(await patient.poll()).toBeUndefined()
  expect(asked, 'asked once, then passed over').toBe(1)
  expect((await again(operation)).transactions[0]!.canStillLand).toBe(false)
  // Work on another chain is found behind the work on the silent one, in the same poll.
  await use.engine.db
    .updateTable('agent_work')
    .set({ blockchain: 'base' })
    .where('operation_id', '=', operation.operationId)
    .execute()
  expect((await patient.pollRequired()).operation.operationId).toBe(operation.operationId)
})

test('a reorganization that removes the approval takes the supply back, unless somebody has it', async () => {
  const operation = await supply()
  const first = await agent.pollRequired()
  await agent.submitted(first, await use.dev.included(await agent.send(first)))
  await use.engine.db
    .updateTable('transactions')
    .set({ block_number: 1, state: 'pending' })
    .where('id', '=', first.transaction.transactionId)
    .execute()
  const stage = async () =>
    (
      await use.engine.db
        .selectFrom('agent_work')
        .select('stage')
        .where('operation_id', '=', operation.operationId)
        .orderBy('position')
        .execute()
    ).map((row) => row.stage)
  expect(await stage()).toEqual(['done', 'ready'])
  await use.engine.db
    .updateTable('transactions')
    .set({ block_number: null })
    .where('id', '=', first.transaction.transactionId)
    .execute()
  expect(await stage()).toEqual(['sent', 'waiting'])
})

test('a poll that waits and whose caller has gone takes nothing from the others', async () => {
  const gone = new AbortController()
  const poll = createTransactionPolls({ ...use.engine.parts, random: systemRandomSource })
  const { organizationId } = use.client.wallet
  const waiting = poll({ organizationId, leaseDurationMs: LEASE_MS, signal: gone.signal })
  gone.abort()
  const operation = await supply()
  expect(await waiting).toBeUndefined()
  expect((await agent.pollRequired()).operation.operationId).toBe(operation.operationId)
})
