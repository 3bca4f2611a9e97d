import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { createTestAgent, LEASE_MS, type TestAgent } from '../../testing/agents/test-agent.ts'
import { useEngine } from '../../testing/operations/use-engine.ts'
import { createOperationalWallet, planExplicitMove } from '../../testing/rebalancing/operational-wallets.ts'
import { USDC } from '../../testing/units.ts'
import { decodeUnsigned } from '../chains/evm/transactions/decode-unsigned.ts'
import { Failure, systemRandomSource } from '../kernel/index.ts'
import { type Operation, rollbackBlocksAbove } from '../operations/index.ts'
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
const reload = (operation: Operation) => use.client.operation(operation)

test('an agent carries out operations: first the approval, then the supply, then the full withdrawal', async () => {
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
  expect((await reload(operation)).state).toBe('CONFIRMING')
  await use.engine.settle()
  expect((await reload(operation)).state).toBe('COMPLETED')
  expect(await use.balances()).toEqual({ available: 400n, reserved: 0n, deployed: 600n })

  const back = await agent.carryOut(await unwind(null))
  expect(back.state).toBe('COMPLETED')
  expect((await use.balances()).deployed).toBe(0n)
})

test('two agents that poll at once get one transaction between them', async () => {
  await supply()
  const other = createTestAgent(use.engine, use.client)
  const issued = await Promise.all([agent.poll(), other.poll(), agent.poll(), other.poll()])
  expect(issued.filter(Boolean)).toHaveLength(1)
})

test('when there is no work, a poll writes nothing', async () => {
  await use.engine.db.transaction().execute(async (tx) => {
    expect(await createTestAgent(use.engine, use.client, { ...use.engine.parts, db: tx }).poll()).toBeUndefined()
    const { rows } = await sql<{ id: string | null }>`select pg_current_xact_id_if_assigned()::text as id`.execute(tx)
    expect(rows).toEqual([{ id: null }])
  })
})

test('after a lapsed lease the same bytes are issued, and both agents together have one effect', async () => {
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
  expect((await reload(operation)).transactions[0]!.status).toBe('confirmed')
  const last = await agent.pollRequired()
  await agent.submitted(last, await use.dev.included(await agent.send(last)))
  await use.engine.settle()
  expect(await use.balances()).toEqual({ available: 400n, reserved: 0n, deployed: 600n })
})

test('when bytes under a lapsed lease pay too little, the same nonce is issued with new fees', async () => {
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

test('bytes whose nonce was used elsewhere are withheld until that is settled, then rebuilt', async () => {
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
  expect((await reload(operation)).state).toBe('COMPLETED')
})

test('an unfinished claim issues nothing, and lapses', async () => {
  const operation = await supply()
  const { chain } = use.engine
  const silent = { ...chain, senderState: () => Promise.reject(new Error('the process died here')) }
  const dying = createTestAgent(use.engine, use.client, {
    ...use.engine.parts,
    chains: new Map([['polygon', silent as typeof chain]]),
  })
  expect(await dying.poll()).toBeUndefined()
  expect((await reload(operation)).transactions.every(({ canStillLand }) => !canStillLand)).toBe(true)
  use.engine.clock.advance(LEASE_MS)
  expect((await agent.pollRequired()).transaction.canStillLand).toBe(true)
})

test('a supply to a strategy that was paused since is aborted, and its money is released', async () => {
  const operation = await supply()
  const strategy = use.engine.db.updateTable('strategies').where('id', '=', operation.strategyId)
  await strategy.set({ status: 'paused' }).execute()
  try {
    expect(await agent.poll()).toBeUndefined()
  } finally {
    await strategy.set({ status: 'active' }).execute()
  }
  expect(await reload(operation)).toMatchObject({ state: 'ABORTED', failureReason: 'ABORTED' })
  expect((await use.balances()).reserved).toBe(0n)
})

test('a supply that would now cut into the buffer is aborted', async () => {
  const operation = await supply()
  const { organizationId, opWalletId } = wallet
  const left = (await use.client.usdc()) - 600n * USDC
  await updateOperationalWallet(use.engine.parts, { organizationId, opWalletId, buffer: left + 1n })
  expect(await agent.poll()).toBeUndefined()
  expect(await reload(operation)).toMatchObject({ state: 'ABORTED', failureReason: 'ABORTED' })
})

test('a withdrawal for a buffer that is full by now is aborted; an explicit one is carried out', async () => {
  await agent.carryOut(await supply())
  const { organizationId, opWalletId } = wallet
  await updateOperationalWallet(use.engine.parts, { organizationId, opWalletId, buffer: 500n * USDC })
  const operation = await planExplicitMove(use.engine, wallet, {
    type: 'UNWIND',
    amount: 100n * USDC,
    origin: 'rebalancer',
  })
  await use.dev.included(await use.client.receive(100n * USDC))
  expect(await agent.poll()).toBeUndefined()
  expect(await reload(operation)).toMatchObject({ state: 'ABORTED', failureReason: 'ABORTED' })
  await use.engine.settle()
  expect((await agent.carryOut(await unwind(50n * USDC))).state).toBe('COMPLETED')
})

test('a buffer that is raised during the check counts: bytes that would cut into it are not issued', async () => {
  const operation = await supply()
  const { organizationId, opWalletId } = wallet
  const raise = () => updateOperationalWallet(use.engine.parts, { organizationId, opWalletId, buffer: 999_999n * USDC })
  const polygon = use.engine.parts.chains.get('polygon')!
  const slow = new Proxy(polygon, {
    get: (chain, name, receiver) =>
      name === 'simulate'
        ? async (...senderStateCalls: Parameters<typeof chain.simulate>) => {
            use.engine.clock.advance(1)
            await raise()
            return chain.simulate(...senderStateCalls)
          }
        : Reflect.get(chain, name, receiver),
  })
  const parts = { ...use.engine.parts, chains: new Map([...use.engine.parts.chains, ['polygon', slow]]) }
  expect(await createTestAgent(use.engine, use.client, parts).poll()).toBeUndefined()
  use.engine.clock.advance(60_000)
  expect(await createTestAgent(use.engine, use.client).poll()).toBeUndefined()
  expect(await use.client.operation(operation)).toMatchObject({ state: 'ABORTED' })
})

test('an approval that was made elsewhere meanwhile is not issued again', async () => {
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
  expect(await reload(operation)).toMatchObject({ state: 'COMPLETED', amount: 100n * USDC })
})

test('reverting simulations abort only at the third time, over five minutes', async () => {
  const operation = await supply()
  const { chain } = use.engine
  const failing = { ...chain, simulate: async () => ({ ok: false, index: 0, reason: 'no', code: 'REVERTED' }) as const }
  const parts = { ...use.engine.parts, chains: new Map([['polygon', failing]]) }
  const unlucky = createTestAgent(use.engine, use.client, parts)
  for (const wait of [0, 10_000, 290_000]) {
    expect((await reload(operation)).state).toBe('EXECUTING')
    use.engine.clock.advance(wait)
    expect(await unlucky.poll()).toBeUndefined()
  }
  expect(await reload(operation)).toMatchObject({ state: 'ABORTED' })
})

test('an unavailable chain changes nothing, and does not block work on other chains', async () => {
  const operation = await supply()
  const { chain } = use.engine
  let senderStateCalls = 0
  const down = {
    ...chain,
    isResting: () => true,
    senderState: async () => {
      senderStateCalls += 1
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
  expect(senderStateCalls, 'called once, then skipped').toBe(1)
  expect((await reload(operation)).transactions[0]!.canStillLand).toBe(false)
  // Work on another chain is found behind the work on the unavailable one, in the same poll.
  await use.engine.db
    .updateTable('agent_work')
    .set({ blockchain: 'base' })
    .where('operation_id', '=', operation.operationId)
    .execute()
  expect((await patient.pollRequired()).operation.operationId).toBe(operation.operationId)
})

test('a reorganization that removes the approval withdraws the supply, unless an agent holds it', async () => {
  const operation = await supply()
  const first = await agent.pollRequired()
  await agent.submitted(first, await use.dev.included(await agent.send(first)))
  await use.engine.settle()
  // As if its block were not final yet.
  await use.engine.db
    .updateTable('transactions')
    .set({ state: 'pending', can_still_land: true, finalized_at: null })
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
  await rollbackBlocksAbove(use.engine.parts, 'polygon', 0)
  expect(await stage()).toEqual(['sent', 'waiting'])
})

test('a waiting poll whose caller has gone takes nothing from the others', async () => {
  const gone = new AbortController()
  const poll = createTransactionPolls({ ...use.engine.parts, random: systemRandomSource })
  const { organizationId } = use.client.wallet
  const waiting = poll({ organizationId, leaseDurationMs: LEASE_MS, signal: gone.signal })
  gone.abort()
  const operation = await supply()
  expect(await waiting).toBeUndefined()
  expect((await agent.pollRequired()).operation.operationId).toBe(operation.operationId)
})
