import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EngineFixture, startEngineFixture } from '../../testing/engine-fixture.ts'
import { createOperationalWallet, MANUAL_POLICY, setPolicy } from '../../testing/operational-wallets.ts'
import { startTestChain, type TestChain } from '../../testing/test-chain.ts'
import type { TestClient } from '../../testing/test-client.ts'
import { USDC } from '../../testing/units.ts'
import type { UserCredential } from '../identity/index.ts'
import { rejectOperation } from '../operations/index.ts'
import { updatePolicy } from '../policy/index.ts'
import { type OperationalWallet, updateOperationalWallet } from '../wallets/index.ts'
import { evaluateDueWallets } from './evaluate-due-wallets.ts'
import type { RebalanceParts } from './parts.ts'
import { scheduleDriftedWallets } from './schedule-drifted-wallets.ts'

let dev: TestChain
let engine: EngineFixture
let parts: RebalanceParts
beforeAll(async () => {
  dev = await startTestChain()
  engine = await startEngineFixture(dev)
  parts = {
    ...engine.parts,
    rebalancing: {
      floor: { digits: 1n, scale: 0 },
      dust: { digits: 1n, scale: 2 },
      horizonDays: 30,
      withdrawHoldMs: 3_600_000,
      nativeUsd: {},
    },
  }
})
afterAll(async () => {
  await engine.close()
  await dev.stop()
})

interface Case {
  readonly client: TestClient
  readonly wallet: OperationalWallet
}

async function monitored(buffer: bigint, { deployed = 0n, usdc = 1_000n * USDC } = {}): Promise<Case> {
  const client = await engine.client({ usdc })
  await engine.settle()
  if (deployed > 0n) await client.complete(await client.supply(deployed))
  return { client, wallet: await createOperationalWallet(engine, client, buffer) }
}

const operationsOf = ({ wallet }: Case) =>
  engine.db
    .selectFrom('operations')
    .select(['id', 'type', 'state', 'amount', 'origin', 'reasons', 'strategy_id'])
    .where('op_wallet_id', '=', wallet.opWalletId)
    .orderBy('id')
    .execute()
const rowOf = ({ wallet }: Case) =>
  engine.db.selectFrom('operational_wallets').selectAll().where('id', '=', wallet.opWalletId).executeTakeFirstOrThrow()
const change = ({ wallet }: Case, what: { buffer?: bigint; enableYield?: boolean }) =>
  updateOperationalWallet(engine.parts, {
    organizationId: wallet.organizationId,
    opWalletId: wallet.opWalletId,
    ...what,
  })
async function ownerOf(organizationId: number): Promise<UserCredential> {
  const { id: userId } = await engine.db
    .selectFrom('users')
    .select('id')
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow()
  return { kind: 'user', organizationId, userId, sessionId: userId, role: 'owner', rateLimitOverrides: {} }
}
/** Evaluates until no wallet is due. */
async function evaluateAll(): Promise<void> {
  engine.clock.advance(1)
  for (let rounds = 0; rounds < 20; rounds += 1) if ((await evaluateDueWallets(parts)) === 0) return
  throw new Error('the rebalancer still has due wallets after 20 rounds')
}

describe('the rebalancer', () => {
  test('deploys exactly what is above the buffer, records why, and waits for that operation', async () => {
    const use = await monitored(100n * USDC)
    await evaluateAll()
    const [planned, ...more] = await operationsOf(use)
    expect(more).toEqual([])
    expect(planned).toMatchObject({ type: 'SUPPLY', state: 'EXECUTING', amount: 900n * USDC, origin: 'rebalancer' })
    expect(planned!.reasons).toMatchObject({ excess: '900000000', why: expect.stringContaining('earns most') })
    expect(await rowOf(use)).toMatchObject({ due_at: null, last_evaluation: { outcome: 'planned' } })
    await evaluateAll()
    expect(await operationsOf(use)).toHaveLength(1)
  })

  test('withdraws what the buffer lacks', async () => {
    const use = await monitored(0n, { deployed: 900n * USDC })
    await change(use, { buffer: 250n * USDC, enableYield: false })
    await evaluateAll()
    expect(await operationsOf(use)).toMatchObject([{ type: 'UNWIND', amount: 150n * USDC }])
  })

  test('leaves a balanced wallet and one with yield switched off unchanged', async () => {
    const use = await monitored(1_000n * USDC)
    await evaluateAll()
    await change(use, { buffer: 0n, enableYield: false })
    await evaluateAll()
    expect(await operationsOf(use)).toEqual([])
    expect(await rowOf(use)).toMatchObject({
      due_at: null,
      last_evaluation: { text: 'Yield is switched off for this wallet.' },
    })
  })

  test('aborts and replans its own move when the buffer changes before any bytes are issued', async () => {
    const use = await monitored(100n * USDC)
    await evaluateAll()
    await change(use, { buffer: 400n * USDC })
    await evaluateAll()
    expect(await operationsOf(use)).toMatchObject([
      { state: 'ABORTED', amount: 900n * USDC },
      { state: 'EXECUTING', amount: 600n * USDC },
    ])
  })

  /** A wallet whose only move was rejected by a person and that was evaluated since. */
  async function rejected() {
    const use = await monitored(100n * USDC)
    await setPolicy(engine, use.wallet.organizationId, MANUAL_POLICY)
    await evaluateAll()
    const [first] = await operationsOf(use)
    engine.clock.advance(1_000)
    await rejectOperation(engine.parts, { scope: use.client.scope, operationId: first!.id, userId: 1 })
    await evaluateAll()
    return use
  }

  test('waits a day before it plans a rejected move again, unless the buffer or the policy changes', async () => {
    const use = await rejected()
    const { organizationId } = use.wallet
    engine.clock.advance(23 * 3_600_000)
    await scheduleDriftedWallets(engine.db, engine.parts.chains, {
      settings: parts.rebalancing,
      now: engine.clock.now(),
    })
    await evaluateAll()
    expect(await operationsOf(use)).toHaveLength(1)
    expect(await rowOf(use)).toMatchObject({ last_evaluation: { outcome: 'paused' } })
    await setPolicy(engine, organizationId, { ...MANUAL_POLICY, requiredApprovals: 2 })
    await scheduleDriftedWallets(engine.db, engine.parts.chains, {
      settings: parts.rebalancing,
      now: engine.clock.now(),
    })
    await evaluateAll()
    expect(await operationsOf(use)).toMatchObject([{ state: 'REJECTED' }, { state: 'PENDING_APPROVAL' }])
  })

  test('plans a rejected move again as soon as the policy changes', async () => {
    const use = await rejected()
    const { organizationId } = use.wallet
    expect(await rowOf(use)).toMatchObject({ last_evaluation: { outcome: 'paused' }, due_at: null })
    engine.clock.advance(1_000)
    await updatePolicy(engine.parts, await ownerOf(organizationId), { ...MANUAL_POLICY, mode: 'automatic' })
    await evaluateAll()
    expect(await operationsOf(use)).toMatchObject([{ state: 'REJECTED' }, { state: 'EXECUTING' }])
  })

  test('backs off when a move cannot be planned, and records the reason', async () => {
    const use = await monitored(100n * USDC)
    await dev.rpc('anvil_setBalance', use.client.address, '0x0')
    await evaluateAll()
    const after = await rowOf(use)
    expect(after).toMatchObject({
      rebalance_failures: 1,
      last_evaluation: { outcome: 'refused', text: expect.stringContaining('INSUFFICIENT_GAS') },
    })
    expect(after.due_at!.getTime() - engine.clock.now().getTime()).toBe(30_000)
    engine.clock.advance(30_000)
    await evaluateAll()
    expect(await rowOf(use)).toMatchObject({ rebalance_failures: 2 })
    await dev.rpc('anvil_setBalance', use.client.address, '0xde0b6b3a7640000')
    engine.clock.advance(60_000)
    await evaluateAll()
    expect(await operationsOf(use)).toMatchObject([{ state: 'EXECUTING' }])
    expect(await rowOf(use)).toMatchObject({ rebalance_failures: 0 })
  })

  test('does not deploy an explicit withdrawal again until an hour passed or the tokens left the wallet', async () => {
    const use = await monitored(0n, { deployed: 1_000n * USDC })
    await evaluateAll()
    await use.client.complete(await use.client.unwind(300n * USDC))
    await evaluateAll()
    expect(await operationsOf(use)).toEqual([])
    await dev.included(await use.client.receive(50n * USDC))
    await engine.settle()
    await evaluateAll()
    expect(await operationsOf(use)).toMatchObject([{ type: 'SUPPLY', amount: 50n * USDC }])
  })
})

describe('the pause of one kind of move', () => {
  test('does not delay another: after a rejected deployment, the buffer is still refilled', async () => {
    const use = await monitored(0n, { deployed: 900n * USDC })
    await setPolicy(engine, use.wallet.organizationId, MANUAL_POLICY)
    await evaluateAll()
    const [first] = await operationsOf(use)
    expect(first).toMatchObject({ type: 'SUPPLY', state: 'PENDING_APPROVAL', amount: 100n * USDC })
    await rejectOperation(engine.parts, { scope: use.client.scope, operationId: first!.id, userId: 1 })
    await evaluateAll()
    await dev.included(await use.client.spend(100n * USDC))
    await engine.settle()
    await engine.db
      .updateTable('operational_wallets')
      .set({ buffer_amount: 50n * USDC, due_at: engine.clock.now() })
      .where('id', '=', use.wallet.opWalletId)
      .execute()
    await evaluateAll()
    expect(await operationsOf(use)).toMatchObject([{ state: 'REJECTED' }, { type: 'UNWIND', amount: 50n * USDC }])
  })

  test('an explicit withdrawal that its owner deployed again is not held', async () => {
    const use = await monitored(0n, { deployed: 1_000n * USDC })
    await evaluateAll()
    await use.client.complete(await use.client.unwind(300n * USDC))
    await use.client.complete(await use.client.supply(299n * USDC))
    await dev.included(await use.client.receive(50n * USDC))
    await engine.settle()
    await evaluateAll()
    expect(await operationsOf(use)).toMatchObject([{ type: 'SUPPLY', amount: 50n * USDC }])
  })

  test('a wallet that fails does not block the others of its page', async () => {
    const [odd, fine] = [await monitored(100n * USDC), await monitored(100n * USDC)]
    const polygon = parts.chains.get('polygon')!
    const broken = new Proxy(polygon, {
      get: (chain, name, receiver) =>
        name === 'simulate'
          ? (from: string, ...rest: [never]) => {
              if (from === odd.client.address) throw new TypeError('a node that answers nonsense')
              return chain.simulate(from, ...rest)
            }
          : Reflect.get(chain, name, receiver),
    })
    const failing = { ...parts, chains: new Map([...parts.chains, ['polygon', broken]]) }
    engine.clock.advance(1)
    await evaluateDueWallets(failing)
    expect(await operationsOf(fine)).toHaveLength(1)
    expect(await rowOf(odd)).toMatchObject({ rebalance_failures: 1, last_evaluation: { outcome: 'failed' } })
    expect((await rowOf(odd)).due_at!.getTime()).toBe(engine.clock.now().getTime() + 30_000)
  })
})

describe('the safety net', () => {
  test('schedules only wallets whose ledger shows that something should move', async () => {
    const [above, below, inOrder] = [
      await monitored(100n * USDC),
      await monitored(0n, { deployed: 900n * USDC }),
      await monitored(1_000n * USDC),
    ]
    await engine.db.updateTable('operational_wallets').set({ due_at: null }).execute()
    await engine.db
      .updateTable('operational_wallets')
      .set({ buffer_amount: 200n * USDC })
      .where('id', '=', below!.wallet.opWalletId)
      .execute()
    expect(
      await scheduleDriftedWallets(engine.db, engine.parts.chains, {
        settings: parts.rebalancing,
        now: engine.clock.now(),
      }),
    ).toBeGreaterThanOrEqual(2)
    expect((await rowOf(above!)).due_at).not.toBeNull()
    expect((await rowOf(below!)).due_at).not.toBeNull()
    expect((await rowOf(inOrder!)).due_at).toBeNull()
  })

  test('two processes evaluate a due wallet once', async () => {
    const use = await monitored(100n * USDC)
    const [one, other] = await Promise.all([evaluateDueWallets(parts), evaluateDueWallets(parts)])
    expect(one + other).toBeGreaterThan(0)
    expect(await operationsOf(use)).toHaveLength(1)
  })
})
