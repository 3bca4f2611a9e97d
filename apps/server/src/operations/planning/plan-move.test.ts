// Also tested elsewhere: the same under the wallet's lock (commit-move.test.ts), decisions (approval/), moves that nobody
// approves or leases (approval/abort-overdue.test.ts), and plans among faults and crashes (simulate/treasury).
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestChain, type TestChain } from '../../../testing/chains/test-chain.ts'
import { addApprover } from '../../../testing/changes/add-approver.ts'
import { expectLedgerMatchesChain, expectValidLedger } from '../../../testing/ledger/expect-ledger.ts'
import { anyState } from '../../../testing/operations/any-state.ts'
import { type EngineFixture, startEngineFixture } from '../../../testing/operations/engine-fixture.ts'
import type { TestClient } from '../../../testing/operations/test-client.ts'
import {
  createOperationalWallet,
  MANUAL_POLICY,
  planExplicitMove,
  setPolicy,
} from '../../../testing/rebalancing/operational-wallets.ts'
import { USDC } from '../../../testing/units.ts'
import { Money } from '../../kernel/index.ts'
import { balancesOf } from '../../ledger/index.ts'
import { type OperationalWallet, updateOperationalWallet } from '../../wallets/index.ts'
import { approveOperation } from '../approval/approve-operation.ts'

let dev: TestChain
let engine: EngineFixture
beforeAll(async () => {
  dev = await startTestChain()
  engine = await startEngineFixture(dev)
})
afterAll(async () => {
  await engine.close()
  await dev.stop()
})

interface Case {
  readonly client: TestClient
  readonly wallet: OperationalWallet
}

const usdc = (baseUnits: bigint) => new Money(baseUnits, 6)

async function funded(buffer = 100n * USDC, usdc = 1_000n * USDC): Promise<Case> {
  const client = await engine.client({ usdc })
  await engine.settle()
  return { client, wallet: await createOperationalWallet(engine, client, buffer) }
}

async function balances({ client }: Case) {
  const balance = (await balancesOf(engine.db, client.wallet)).find(
    ({ tokenAddress }) => tokenAddress === client.usdcAddress,
  )
  return { available: balance!.available, reserved: balance!.reserved }
}

const eventsOf = async (operationId: number) =>
  (
    await engine.db
      .selectFrom('outbox')
      .select('event')
      .where('object_id', '=', operationId)
      .where('object_type', '=', 'operation')
      .orderBy('id')
      .execute()
  ).map(({ event }) => event)
const workOf = (operationId: number) =>
  engine.db.selectFrom('agent_work').selectAll().where('operation_id', '=', operationId).orderBy('position').execute()
const owner = async ({ client }: Case) =>
  (
    await engine.db
      .selectFrom('users')
      .select('id')
      .where('organization_id', '=', client.scope.organizationId)
      .executeTakeFirstOrThrow()
  ).id

describe('a move that needs no approval', () => {
  test('reserves its amount and is queued for agents, without bytes', async () => {
    const use = await funded()
    const planned = await planExplicitMove(engine, use.wallet, { type: 'SUPPLY', amount: 900n * USDC })
    expect(planned).toMatchObject({
      state: 'EXECUTING',
      executor: 'agent',
      opWalletId: use.wallet.opWalletId,
      expiresAt: null,
    })
    expect(
      planned.transactions
        .map(anyState)
        .map(({ kind, unsignedBytes, canStillLand, nonce }) => [kind, unsignedBytes, canStillLand, nonce]),
    ).toEqual([
      ['approve', '', false, null],
      ['supply', '', false, null],
    ])
    expect(await use.client.operation(planned)).toEqual(planned)
    expect((await workOf(planned.operationId)).map(({ position }) => position)).toEqual([0, 1])
    expect(await balances(use)).toEqual({ available: 100n * USDC, reserved: 900n * USDC })
    expect(await eventsOf(planned.operationId)).toEqual(['operation.created', 'operation.executing'])
    await expectValidLedger(engine)
    await expectLedgerMatchesChain(engine, [use.client.wallet.walletId])
  })

  test('never spends the buffer, and changes nothing when it is refused', async () => {
    const use = await funded()
    await expect(
      planExplicitMove(engine, use.wallet, { type: 'SUPPLY', amount: 900n * USDC + 1n }),
    ).rejects.toMatchObject({
      code: 'INSUFFICIENT_BALANCE',
      details: { available: usdc(900n * USDC), requested: usdc(900n * USDC + 1n), shortfall: usdc(1n) },
    })
    expect(await balances(use)).toEqual({ available: 1_000n * USDC, reserved: 0n })
  })

  test('is refused with the required and available gas when the wallet has too little', async () => {
    const use = await funded()
    await dev.rpc('anvil_setBalance', use.client.address, '0x1')
    await expect(planExplicitMove(engine, use.wallet, { type: 'SUPPLY', amount: 10n * USDC })).rejects.toMatchObject({
      code: 'INSUFFICIENT_GAS',
      details: { token: 'POL', required: expect.any(Money), available: new Money(1n, 18) },
    })
  })

  test('is planned beside a client’s operation that has expired, even before a sweep has ended it', async () => {
    const use = await funded()
    const waiting = await use.client.supply(900n * USDC)
    engine.clock.advance(120_000)
    const move = await planExplicitMove(engine, use.wallet, { type: 'SUPPLY', amount: 900n * USDC })
    expect(move.state).toBe('EXECUTING')
    expect(await use.client.operation(waiting)).toMatchObject({ state: 'FAILED', failureReason: 'EXPIRED' })
  })

  test('is refused while the wallet has an unfinished operation, and blocks a client’s plan meanwhile', async () => {
    const use = await funded()
    await planExplicitMove(engine, use.wallet, { type: 'SUPPLY', amount: 10n * USDC })
    await expect(planExplicitMove(engine, use.wallet, { type: 'SUPPLY', amount: 10n * USDC })).rejects.toMatchObject({
      code: 'OPERATION_IN_PROGRESS',
    })
    await expect(use.client.supply(10n * USDC)).rejects.toMatchObject({ code: 'OPERATION_IN_PROGRESS' })
  })
})

describe('a move that needs approval', () => {
  test('waits, and is queued for agents by the last approval; one person counts once', async () => {
    const use = await funded()
    await setPolicy(engine, use.client.scope.organizationId, { ...MANUAL_POLICY, requiredApprovals: 2 })
    const planned = await planExplicitMove(engine, use.wallet, { type: 'SUPPLY', amount: 900n * USDC })
    expect(planned).toMatchObject({ state: 'PENDING_APPROVAL', requiredApprovals: 2 })
    expect(await workOf(planned.operationId)).toEqual([])
    const userId = await owner(use)
    const decision = { scope: use.client.scope, operationId: planned.operationId, userId }
    for (const _ of [1, 2]) {
      expect(await approveOperation(engine.parts, decision)).toMatchObject({
        approvals: 1,
        operation: { state: 'PENDING_APPROVAL', approvedAt: null },
      })
    }
    const another = await addApprover(engine, planned.organizationId)
    const second = await approveOperation(engine.parts, { ...decision, userId: another })
    expect(second).toMatchObject({ approvals: 2, operation: { state: 'EXECUTING', approvedAt: expect.any(Date) } })
    expect(await eventsOf(planned.operationId)).toEqual([
      'operation.created',
      'operation.approved',
      'operation.executing',
    ])
    expect(await workOf(planned.operationId)).toHaveLength(2)
    await expect(approveOperation(engine.parts, decision)).rejects.toMatchObject({ code: 'INVALID_OPERATION_STATUS' })
    await expectValidLedger(engine)
  })

  test('is aborted, not changed, when the wallet no longer holds enough above its buffer (rule 10)', async () => {
    const use = await funded()
    const { organizationId } = use.client.scope
    await setPolicy(engine, organizationId, MANUAL_POLICY)
    const planned = await planExplicitMove(engine, use.wallet, { type: 'SUPPLY', amount: 900n * USDC })
    await updateOperationalWallet(engine.parts, {
      organizationId,
      opWalletId: use.wallet.opWalletId,
      buffer: 100n * USDC + 1n,
    })
    const decision = { scope: use.client.scope, operationId: planned.operationId, userId: await owner(use) }
    await expect(approveOperation(engine.parts, decision)).rejects.toMatchObject({ code: 'INVALID_OPERATION_STATUS' })
    expect(await use.client.operation(planned)).toMatchObject({ state: 'ABORTED', failureReason: 'ABORTED' })
    expect(await balances(use)).toEqual({ available: 1_000n * USDC, reserved: 0n })
  })
})

describe('an outgoing transfer', () => {
  test('that needs reserved money aborts an unissued move before any account goes below zero (rule 8)', async () => {
    const use = await funded()
    const planned = await planExplicitMove(engine, use.wallet, { type: 'SUPPLY', amount: 900n * USDC })
    await dev.included(await use.client.spend(400n * USDC))
    await engine.settle()
    expect(await use.client.operation(planned)).toMatchObject({ state: 'ABORTED', failureReason: 'ABORTED' })
    expect(await balances(use)).toEqual({ available: 600n * USDC, reserved: 0n })
    await expectValidLedger(engine)
    await expectLedgerMatchesChain(engine, [use.client.wallet.walletId])
  })

  test('makes the wallet due for evaluation', async () => {
    const use = await funded()
    await engine.db.updateTable('operational_wallets').set({ due_at: null }).execute()
    await dev.included(await use.client.spend(400n * USDC))
    await engine.settle()
    const { due_at } = await engine.db
      .selectFrom('operational_wallets')
      .select('due_at')
      .where('id', '=', use.wallet.opWalletId)
      .executeTakeFirstOrThrow()
    expect(due_at).toEqual(engine.clock.now())
  })
})

test('a balance from before the last settled block is no basis for a move: CHAIN_UNAVAILABLE', async () => {
  const use = await funded()
  const ahead = (blocks: number) =>
    engine.db
      .updateTable('chain_cursors')
      .set(({ eb }) => ({ final_number: eb('final_number', '+', blocks) }))
      .execute()
  const plan = () => planExplicitMove(engine, use.wallet, { type: 'SUPPLY', amount: 100n * USDC })
  await ahead(100)
  try {
    await expect(plan()).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  } finally {
    await ahead(-100)
  }
  await plan()
})
