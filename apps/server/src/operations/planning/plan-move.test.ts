import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anyState } from '../../../testing/any-state.ts'
import { type EngineFixture, startEngineFixture } from '../../../testing/engine-fixture.ts'
import { expectBooks, expectChain } from '../../../testing/expect-books.ts'
import {
  createOperationalWallet,
  MANUAL_POLICY,
  planExplicitMove,
  setPolicy,
} from '../../../testing/operational-wallets.ts'
import { startTestChain, type TestChain } from '../../../testing/test-chain.ts'
import type { TestClient } from '../../../testing/test-client.ts'
import { USDC } from '../../../testing/units.ts'
import { Money } from '../../kernel/index.ts'
import { balancesOf } from '../../ledger/index.ts'
import { type OperationalWallet, updateOperationalWallet } from '../../wallets/index.ts'
import { abortOverdueOperations } from '../approval/abort-overdue.ts'
import { approveOperation } from '../approval/approve-operation.ts'
import { rejectOperation } from '../approval/reject-operation.ts'

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

async function books({ client }: Case) {
  const found = (await balancesOf(engine.db, client.wallet)).find(
    ({ tokenAddress }) => tokenAddress === client.usdcAddress,
  )
  return { available: found!.available, reserved: found!.reserved }
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

describe('a move that nobody has to approve', () => {
  test('holds its amount back and is offered to agents, without bytes', async () => {
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
    expect(await books(use)).toEqual({ available: 100n * USDC, reserved: 900n * USDC })
    expect(await eventsOf(planned.operationId)).toEqual(['operation.created', 'operation.executing'])
    await expectBooks(engine)
    await expectChain(engine, [use.client.wallet.walletId])
  })

  test('never takes what the buffer keeps, and a refused one changes nothing', async () => {
    const use = await funded()
    await expect(
      planExplicitMove(engine, use.wallet, { type: 'SUPPLY', amount: 900n * USDC + 1n }),
    ).rejects.toMatchObject({
      code: 'INSUFFICIENT_BALANCE',
      details: { available: usdc(900n * USDC), requested: usdc(900n * USDC + 1n), shortfall: usdc(1n) },
    })
    expect(await books(use)).toEqual({ available: 1_000n * USDC, reserved: 0n })
  })

  test('that the wallet has no gas for is refused with what is missing', async () => {
    const use = await funded()
    await dev.rpc('anvil_setBalance', use.client.address, '0x1')
    await expect(planExplicitMove(engine, use.wallet, { type: 'SUPPLY', amount: 10n * USDC })).rejects.toMatchObject({
      code: 'INSUFFICIENT_GAS',
      details: { token: 'POL', required: expect.any(Money), available: new Money(1n, 18) },
    })
  })

  test('is refused while another operation of the wallet is unfinished, and refuses a client’s plan meanwhile', async () => {
    const use = await funded()
    await planExplicitMove(engine, use.wallet, { type: 'SUPPLY', amount: 10n * USDC })
    await expect(planExplicitMove(engine, use.wallet, { type: 'SUPPLY', amount: 10n * USDC })).rejects.toMatchObject({
      code: 'OPERATION_IN_PROGRESS',
    })
    await expect(use.client.supply(10n * USDC)).rejects.toMatchObject({ code: 'OPERATION_IN_PROGRESS' })
  })
})

describe('a move that people have to approve', () => {
  test('waits, and goes to the agents with the last approval; the same person twice counts once', async () => {
    const use = await funded()
    await setPolicy(engine, use.client.scope.organizationId, { ...MANUAL_POLICY, requiredApprovals: 2 })
    const planned = await planExplicitMove(engine, use.wallet, { type: 'SUPPLY', amount: 900n * USDC })
    expect(planned).toMatchObject({ state: 'PENDING_APPROVAL', requiredApprovals: 2 })
    expect(await workOf(planned.operationId)).toEqual([])
    const userId = await owner(use)
    const judgement = { scope: use.client.scope, operationId: planned.operationId, userId }
    for (const _ of [1, 2]) {
      expect(await approveOperation(engine.parts, judgement)).toMatchObject({
        approvals: 1,
        operation: { state: 'PENDING_APPROVAL', approvedAt: null },
      })
    }
    const second = await approveOperation(engine.parts, { ...judgement, userId: userId + 1_000_000 })
    expect(second).toMatchObject({ approvals: 2, operation: { state: 'EXECUTING', approvedAt: expect.any(Date) } })
    expect(await eventsOf(planned.operationId)).toEqual([
      'operation.created',
      'operation.approved',
      'operation.executing',
    ])
    expect(await workOf(planned.operationId)).toHaveLength(2)
    await expect(approveOperation(engine.parts, judgement)).rejects.toMatchObject({ code: 'INVALID_OPERATION_STATUS' })
    await expectBooks(engine)
  })

  test('is over with one rejection, and what it held is free again', async () => {
    const use = await funded()
    await setPolicy(engine, use.client.scope.organizationId, MANUAL_POLICY)
    const planned = await planExplicitMove(engine, use.wallet, { type: 'SUPPLY', amount: 900n * USDC })
    const judgement = { scope: use.client.scope, operationId: planned.operationId, userId: await owner(use) }
    expect(await rejectOperation(engine.parts, judgement)).toMatchObject({
      state: 'REJECTED',
      rejectedAt: expect.any(Date),
    })
    expect(await use.client.operation(planned)).toMatchObject({ state: 'REJECTED', failureReason: 'REJECTED' })
    expect(await books(use)).toEqual({ available: 1_000n * USDC, reserved: 0n })
    expect(await eventsOf(planned.operationId)).toEqual(['operation.created', 'operation.rejected'])
    await expect(rejectOperation(engine.parts, judgement)).rejects.toMatchObject({ code: 'INVALID_OPERATION_STATUS' })
  })

  test('is aborted, not changed, when the wallet no longer holds enough above its buffer (money rule 10)', async () => {
    const use = await funded()
    const { organizationId } = use.client.scope
    await setPolicy(engine, organizationId, MANUAL_POLICY)
    const planned = await planExplicitMove(engine, use.wallet, { type: 'SUPPLY', amount: 900n * USDC })
    await updateOperationalWallet(engine.parts, {
      organizationId,
      opWalletId: use.wallet.opWalletId,
      buffer: 100n * USDC + 1n,
    })
    const judgement = { scope: use.client.scope, operationId: planned.operationId, userId: await owner(use) }
    await expect(approveOperation(engine.parts, judgement)).rejects.toMatchObject({ code: 'INVALID_OPERATION_STATUS' })
    expect(await use.client.operation(planned)).toMatchObject({ state: 'ABORTED', failureReason: 'ABORTED' })
    expect(await books(use)).toEqual({ available: 1_000n * USDC, reserved: 0n })
  })

  test('that the policy rejects is written down as rejected and holds nothing back', async () => {
    const use = await funded()
    const { organizationId } = use.client.scope
    const rules = [{ name: 'never so much', when: { amountAtLeast: '500' }, then: 'reject' }]
    await setPolicy(engine, organizationId, { mode: 'conditional', rules, default: 'approve', requiredApprovals: 1 })
    const planned = await planExplicitMove(engine, use.wallet, { type: 'SUPPLY', amount: 500n * USDC })
    expect(planned).toMatchObject({ state: 'REJECTED', approvalRule: 'never so much' })
    expect(await books(use)).toEqual({ available: 1_000n * USDC, reserved: 0n })
    expect(await eventsOf(planned.operationId)).toEqual(['operation.created', 'operation.rejected'])
    const part = await planExplicitMove(engine, use.wallet, {
      type: 'SUPPLY',
      amount: 10n * USDC,
      part: { total: 500n * USDC, remaining: 0n, catalogueFingerprint: '' },
    })
    expect(part.state, 'the whole move is what is judged').toBe('REJECTED')
    expect((await planExplicitMove(engine, use.wallet, { type: 'SUPPLY', amount: 10n * USDC })).state).toBe('EXECUTING')
  })
})

describe('money that leaves', () => {
  test('takes what an untouched move holds: it is aborted before anything goes below zero (money rule 8)', async () => {
    const use = await funded()
    const planned = await planExplicitMove(engine, use.wallet, { type: 'SUPPLY', amount: 900n * USDC })
    await dev.included(await use.client.spend(400n * USDC))
    await engine.settle()
    expect(await use.client.operation(planned)).toMatchObject({ state: 'ABORTED', failureReason: 'ABORTED' })
    expect(await books(use)).toEqual({ available: 600n * USDC, reserved: 0n })
    await expectBooks(engine)
    await expectChain(engine, [use.client.wallet.walletId])
  })

  test('asks the rebalancer to look', async () => {
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

describe('a move that nobody comes for', () => {
  test('is aborted after seven days without approval, and after a day without an agent', async () => {
    const [approved, unapproved] = [await funded(), await funded()]
    await setPolicy(engine, unapproved.client.scope.organizationId, MANUAL_POLICY)
    const waiting = await planExplicitMove(engine, unapproved.wallet, { type: 'SUPPLY', amount: 900n * USDC })
    const ready = await planExplicitMove(engine, approved.wallet, { type: 'SUPPLY', amount: 900n * USDC })
    engine.clock.advance(24 * 3_600_000 - 1)
    await abortOverdueOperations(engine.parts)
    expect((await approved.client.operation(ready)).state).toBe('EXECUTING')
    engine.clock.advance(1)
    await abortOverdueOperations(engine.parts)
    expect(await approved.client.operation(ready)).toMatchObject({ state: 'ABORTED', failureReason: 'ABORTED' })
    expect((await unapproved.client.operation(waiting)).state).toBe('PENDING_APPROVAL')
    engine.clock.advance(6 * 24 * 3_600_000)
    await abortOverdueOperations(engine.parts)
    expect((await unapproved.client.operation(waiting)).state).toBe('ABORTED')
    expect(await books(unapproved)).toEqual({ available: 1_000n * USDC, reserved: 0n })
  })
})
