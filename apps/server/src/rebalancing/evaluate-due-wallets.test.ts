import { describe, expect, test } from 'vitest'
import { MANUAL_POLICY, setPolicy } from '../../testing/rebalancing/operational-wallets.ts'
import { type RebalancedWallet, useRebalancer } from '../../testing/rebalancing/use-rebalancer.ts'
import { USDC } from '../../testing/units.ts'
import type { UserCredential } from '../identity/index.ts'
import { EVALUATION_CLAIM_MS, REBALANCE_BACKOFF_MS } from '../kernel/index.ts'
import { rejectOperation } from '../operations/index.ts'
import { updatePolicy } from '../policy/index.ts'
import { claimEvaluations } from '../wallets/index.ts'
import { evaluateDueWallets } from './evaluate-due-wallets.ts'
import { scheduleDriftedWallets } from './schedule-drifted-wallets.ts'

// What a process leaves that stops, dies or is slow: evaluation-claims.test.ts.
const rebalancer = useRebalancer()
const { change, operationsOf, rowOf, evaluateAll } = rebalancer

async function monitored(buffer: bigint, { deployed = 0n, usdc = 1_000n * USDC } = {}): Promise<RebalancedWallet> {
  const client = await rebalancer.fundedClient(usdc)
  if (deployed > 0n) await client.complete(await client.supply(deployed))
  return rebalancer.monitor(client, buffer)
}
const dueAt = ({ wallet }: RebalancedWallet, at: Date) =>
  rebalancer.engine.db
    .updateTable('operational_wallets')
    .set({ due_at: at })
    .where('organization_id', '=', wallet.organizationId)
    .where('id', '=', wallet.opWalletId)
    .execute()
/** Makes wallets due whose ledger shows a need. */
const scheduleDrifted = () =>
  scheduleDriftedWallets(rebalancer.engine.db, rebalancer.engine.parts.chains, {
    settings: rebalancer.parts.rebalancing,
    now: rebalancer.engine.clock.now(),
  })
async function ownerOf(organizationId: number): Promise<UserCredential> {
  const { id: userId } = await rebalancer.engine.db
    .selectFrom('users')
    .select('id')
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow()
  return { kind: 'user', organizationId, userId, sessionId: userId, role: 'owner', rateLimitOverrides: {} }
}

describe('the rebalancer', () => {
  test('deploys exactly what is above the buffer, records why, and waits for that operation', async () => {
    const use = await monitored(100n * USDC)
    await evaluateAll()
    const [planned, ...more] = await operationsOf(use)
    expect(more).toEqual([])
    expect(planned).toMatchObject({ type: 'SUPPLY', state: 'EXECUTING', amount: 900n * USDC, origin: 'rebalancer' })
    expect(planned!.reasons).toMatchObject({ excess: '900000000', why: expect.stringContaining('earns the most') })
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
    await setPolicy(rebalancer.engine, use.wallet.organizationId, MANUAL_POLICY)
    await evaluateAll()
    const [first] = await operationsOf(use)
    rebalancer.engine.clock.advance(1_000)
    await rejectOperation(rebalancer.engine.parts, { scope: use.client.scope, operationId: first!.id, userId: 1 })
    await evaluateAll()
    return use
  }

  test('waits a day before it plans a rejected move again, unless the buffer or the policy changes', async () => {
    const use = await rejected()
    const { organizationId } = use.wallet
    rebalancer.engine.clock.advance(23 * 3_600_000)
    await scheduleDrifted()
    await evaluateAll()
    expect(await operationsOf(use)).toHaveLength(1)
    expect(await rowOf(use)).toMatchObject({ last_evaluation: { outcome: 'paused' } })
    await setPolicy(rebalancer.engine, organizationId, { ...MANUAL_POLICY, requiredApprovals: 2 })
    await scheduleDrifted()
    await evaluateAll()
    expect(await operationsOf(use)).toMatchObject([{ state: 'REJECTED' }, { state: 'PENDING_APPROVAL' }])
  })

  test('does not wait for the approval of a deployment while the buffer lacks money', async () => {
    const use = await monitored(600n * USDC, { deployed: 100n * USDC })
    await setPolicy(rebalancer.engine, use.wallet.organizationId, MANUAL_POLICY)
    await evaluateAll()
    expect(await operationsOf(use)).toMatchObject([{ type: 'SUPPLY', state: 'PENDING_APPROVAL', amount: 300n * USDC }])
    await use.client.spend(350n * USDC)
    await rebalancer.engine.settle()
    await evaluateAll()
    const refill = { type: 'UNWIND', state: 'PENDING_APPROVAL', amount: 50n * USDC }
    expect(await operationsOf(use)).toMatchObject([{ type: 'SUPPLY', state: 'ABORTED' }, refill])
  })

  test('plans a rejected move again as soon as the policy changes', async () => {
    const use = await rejected()
    const { organizationId } = use.wallet
    expect(await rowOf(use)).toMatchObject({ last_evaluation: { outcome: 'paused' }, due_at: null })
    rebalancer.engine.clock.advance(1_000)
    const policy = { ...MANUAL_POLICY, mode: 'automatic' }
    await updatePolicy(rebalancer.engine.parts, await ownerOf(organizationId), { policy })
    await evaluateAll()
    expect(await operationsOf(use)).toMatchObject([{ state: 'REJECTED' }, { state: 'EXECUTING' }])
  })

  test('backs off when a move cannot be planned, and records the reason', async () => {
    const use = await monitored(100n * USDC)
    await rebalancer.dev.rpc('anvil_setBalance', use.client.address, '0x0')
    await evaluateAll()
    const after = await rowOf(use)
    expect(after).toMatchObject({
      rebalance_failures: 1,
      last_evaluation: { outcome: 'refused', text: expect.stringContaining('INSUFFICIENT_GAS') },
    })
    expect(after.due_at!.getTime() - rebalancer.engine.clock.now().getTime()).toBe(30_000)
    rebalancer.engine.clock.advance(30_000)
    await evaluateAll()
    expect(await rowOf(use)).toMatchObject({ rebalance_failures: 2 })
    await rebalancer.dev.rpc('anvil_setBalance', use.client.address, '0xde0b6b3a7640000')
    rebalancer.engine.clock.advance(60_000)
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
    await rebalancer.dev.included(await use.client.receive(50n * USDC))
    await rebalancer.engine.settle()
    await evaluateAll()
    expect(await operationsOf(use)).toMatchObject([{ type: 'SUPPLY', amount: 50n * USDC }])
  })
})

describe('the pause of one kind of move', () => {
  test('does not delay another: after a rejected deployment, the buffer is still refilled', async () => {
    const use = await monitored(0n, { deployed: 900n * USDC })
    await setPolicy(rebalancer.engine, use.wallet.organizationId, MANUAL_POLICY)
    await evaluateAll()
    const [first] = await operationsOf(use)
    expect(first).toMatchObject({ type: 'SUPPLY', state: 'PENDING_APPROVAL', amount: 100n * USDC })
    await rejectOperation(rebalancer.engine.parts, { scope: use.client.scope, operationId: first!.id, userId: 1 })
    await evaluateAll()
    await rebalancer.dev.included(await use.client.spend(100n * USDC))
    await rebalancer.engine.settle()
    await rebalancer.engine.db
      .updateTable('operational_wallets')
      .set({ buffer_amount: 50n * USDC, due_at: rebalancer.engine.clock.now() })
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
    await rebalancer.dev.included(await use.client.receive(50n * USDC))
    await rebalancer.engine.settle()
    await evaluateAll()
    expect(await operationsOf(use)).toMatchObject([{ type: 'SUPPLY', amount: 50n * USDC }])
  })

  test('a wallet that fails does not block the others of its page', async () => {
    const [odd, fine] = [await monitored(100n * USDC), await monitored(100n * USDC)]
    const polygon = rebalancer.parts.chains.get('polygon')!
    const broken = new Proxy(polygon, {
      get: (chain, name, receiver) =>
        name === 'simulate'
          ? (from: string, ...rest: [never]) => {
              if (from === odd.client.address) throw new TypeError('a node that answers nonsense')
              return chain.simulate(from, ...rest)
            }
          : Reflect.get(chain, name, receiver),
    })
    const failing = { ...rebalancer.parts, chains: new Map([...rebalancer.parts.chains, ['polygon', broken]]) }
    rebalancer.engine.clock.advance(1)
    await evaluateDueWallets(failing)
    expect(await operationsOf(fine)).toHaveLength(1)
    expect(await rowOf(odd)).toMatchObject({ rebalance_failures: 1, last_evaluation: { outcome: 'failed' } })
    expect((await rowOf(odd)).due_at!.getTime()).toBe(rebalancer.engine.clock.now().getTime() + 30_000)
  })
})

describe('the safety net', () => {
  test('schedules only wallets whose ledger shows that something should move', async () => {
    const [above, below, inOrder] = [
      await monitored(100n * USDC),
      await monitored(0n, { deployed: 900n * USDC }),
      await monitored(1_000n * USDC),
    ]
    await rebalancer.engine.db.updateTable('operational_wallets').set({ due_at: null }).execute()
    await rebalancer.engine.db
      .updateTable('operational_wallets')
      .set({ buffer_amount: 200n * USDC })
      .where('id', '=', below!.wallet.opWalletId)
      .execute()
    expect(await scheduleDrifted()).toBeGreaterThanOrEqual(2)
    expect((await rowOf(above!)).due_at).not.toBeNull()
    expect((await rowOf(below!)).due_at).not.toBeNull()
    expect((await rowOf(inOrder!)).due_at).toBeNull()
  })

  test('schedules a wallet that is due later than any pause lasts, and leaves one that pauses', async () => {
    const [lost, pausing] = [await monitored(100n * USDC), await monitored(100n * USDC)]
    const now = rebalancer.engine.clock.now()
    const pauseEnd = new Date(now.getTime() + REBALANCE_BACKOFF_MS.max)
    await dueAt(lost, new Date(now.getTime() + 5 * 3_600_000))
    await dueAt(pausing, pauseEnd)
    await scheduleDrifted()
    expect((await rowOf(lost)).due_at).toEqual(now)
    expect((await rowOf(pausing)).due_at).toEqual(pauseEnd)
  })

  test('two processes evaluate a due wallet once', async () => {
    const use = await monitored(100n * USDC)
    const [one, other] = await Promise.all([evaluateDueWallets(rebalancer.parts), evaluateDueWallets(rebalancer.parts)])
    expect(one + other).toBeGreaterThan(0)
    expect(await operationsOf(use)).toHaveLength(1)
  })

  test('a process that hung for longer than its claim plans nothing from what it read before', async () => {
    const use = await monitored(100n * USDC)
    const { engine, parts } = rebalancer
    // Between its reads and its commit the claim expires, and another process takes it.
    const chains = new Map(
      [...parts.chains].map(([name, chain]) => {
        const senderState: typeof chain.senderState = async (address) => {
          engine.clock.advance(EVALUATION_CLAIM_MS + 1)
          expect(
            (await claimEvaluations(engine.db, engine.clock.now(), 1)).map(({ opWalletId }) => opWalletId),
          ).toEqual([use.wallet.opWalletId])
          return chain.senderState(address)
        }
        return [name, Object.assign(Object.create(chain), { senderState })] as const
      }),
    )
    await engine.db.updateTable('operational_wallets').set({ due_at: null }).execute()
    await engine.db
      .updateTable('operational_wallets')
      .set({ due_at: engine.clock.now() })
      .where('id', '=', use.wallet.opWalletId)
      .execute()
    expect(await evaluateDueWallets({ ...parts, chains })).toBe(1)
    expect(await operationsOf(use)).toEqual([])
    // The other process's claim goes on.
    expect((await rowOf(use)).due_at!.getTime()).toBe(engine.clock.now().getTime() + EVALUATION_CLAIM_MS)
  })
})

test('a wallet is short from the evaluation that finds it until the withdrawal arrived; one without positions never is', async () => {
  const shortSince = async (use: RebalancedWallet) => (await rowOf(use)).short_since
  const use = await monitored(0n, { deployed: 900n * USDC })
  await change(use, { buffer: 250n * USDC, enableYield: false })
  await evaluateAll()
  expect(await shortSince(use)).toEqual(rebalancer.engine.clock.now())
  await change(use, { buffer: 50n * USDC })
  await evaluateAll()
  expect(await shortSince(use)).toBeNull()
  const unfunded = await monitored(2_000n * USDC)
  await evaluateAll()
  expect(await shortSince(unfunded)).toBeNull()
})
