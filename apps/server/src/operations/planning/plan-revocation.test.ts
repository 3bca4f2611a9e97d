// `system/money/submission.test.ts` tests the same over HTTP, and `submission/crash-recovery.test.ts` with killed processes.
import { beforeEach, expect, test } from 'vitest'
import { createTestAgent } from '../../../testing/agents/test-agent.ts'
import { expectLedgerMatchesChain, expectValidLedger } from '../../../testing/ledger/expect-ledger.ts'
import { BY_KEY } from '../../../testing/operations/requesters.ts'
import { useEngine } from '../../../testing/operations/use-engine.ts'
import { emittedEvents } from '../../../testing/ramp/emitted-events.ts'
import { createOperationalWallet, planExplicitMove } from '../../../testing/rebalancing/operational-wallets.ts'
import { USDC } from '../../../testing/units.ts'
import { readAllowance } from '../../venues/index.ts'
import type { PlanConflictPolicy } from '../lifecycle/conflicts/plan-conflicts.ts'
import type { Operation } from '../lifecycle/states/operation.ts'
import { cancelOperation } from '../submission/cancel-operation.ts'
import { leftAllowance } from '../views/left-allowance.ts'
import { planRevocation } from './plan-revocation.ts'

const AAVE = 'aave-v3:polygon:USDC'
const use = useEngine()
let supply: Operation

const revoke = (ifBusy?: PlanConflictPolicy) =>
  planRevocation(use.engine.parts, {
    scope: use.client.scope,
    walletId: use.client.wallet.walletId,
    strategyId: use.engine.strategy(AAVE).id,
    requestedBy: BY_KEY,
    ifBusy,
  })
const allowance = async () =>
  (await readAllowance(use.engine.chain, use.engine.strategy(AAVE), use.client.address))!.amount
const left = async () => (await leftAllowance(use.engine.parts, await use.client.operation(supply)))?.amount
const NOTHING = { code: 'ALLOCATION_NOT_FOUND', details: { reason: 'nothing_to_revoke' } }

/** A supply of 600 USDC that was cancelled after its approval had landed. */
beforeEach(async () => {
  await expect(revoke()).rejects.toMatchObject(NOTHING)
  supply = await use.client.supply(600n * USDC)
  const approval = supply.transactions[0]!
  await use.dev.included((await use.client.submit(supply, await use.client.sign(approval))).txHash)
  await use.engine.settle()
  expect(await left(), 'its deposit is to use it').toBeUndefined()
  await cancelOperation(use.engine.parts, use.client.scope, supply.operationId)
})

async function expectRevoked(): Promise<void> {
  expect(await allowance()).toBe(0n)
  expect(await left()).toBeUndefined()
  await expect(revoke()).rejects.toMatchObject(NOTHING)
  await expectValidLedger(use.engine)
  await expectLedgerMatchesChain(use.engine, [use.client.wallet.walletId])
}

test('what a cancelled supply left is shown, revoked by one signed transaction, and gone', async () => {
  expect(await left()).toBe(600n * USDC)
  const planned = await revoke()
  expect(planned).toMatchObject({ type: 'REVOKE', state: 'EXECUTING', executor: 'client', amount: 600n * USDC })
  expect(planned.transactions.map(({ kind }) => kind)).toEqual(['revoke'])
  expect(await left(), 'an operation of the wallet is unfinished').toBeUndefined()
  const before = await use.client.usdc()
  const done = await use.client.complete(planned)
  expect(done).toMatchObject({ state: 'COMPLETED', settledAmount: 0n })
  expect(await use.client.usdc()).toBe(before)
  await expectRevoked()
})

test('a revocation that its client sent and never reported is found, and completes', async () => {
  const planned = await revoke()
  await use.dev.included(await use.client.send(planned.transactions[0]!))
  await use.engine.settle()
  expect(await use.client.operation(planned)).toMatchObject({ state: 'COMPLETED', settledAmount: 0n })
  await expectRevoked()
})

test('one of two revocations at once waits for a signature, and with `reject` the other is refused', async () => {
  const both = await Promise.all([revoke(), revoke()])
  const states = await Promise.all(both.map(async (each) => (await use.client.operation(each)).state))
  expect(states.toSorted()).toEqual(['ABORTED', 'EXECUTING'])
  await expect(revoke('reject')).rejects.toMatchObject({ code: 'OPERATION_IN_PROGRESS' })
  const waiting = both.find((_, index) => states[index] === 'EXECUTING')!
  expect((await use.client.complete(waiting)).state).toBe('COMPLETED')
  await expectRevoked()
})

test('a supply beside it supersedes it and uses the allowance, and only one of the two can land', async () => {
  const planned = await revoke()
  const next = await use.client.supply(600n * USDC)
  expect(next.cancelledOperations).toEqual([planned.operationId])
  expect(next.transactions.map(({ kind }) => kind)).toEqual(['supply'])
  await use.dev.included(await use.client.send(planned.transactions[0]!))
  await use.engine.settle()
  expect(await use.client.operation(planned)).toMatchObject({ state: 'COMPLETED', failureReason: 'SUPERSEDED' })
  await expect(use.client.submit(next, await use.client.sign(next.transactions[0]!))).rejects.toMatchObject({
    code: 'OPERATION_EXPIRED',
  })
  await cancelOperation(use.engine.parts, use.client.scope, next.operationId)
  await expectRevoked()
})

test('a waiting supply that was to use the allowance is superseded, and one in flight refuses it', async () => {
  const waiting = await use.client.supply(600n * USDC)
  const planned = await revoke()
  expect(planned.cancelledOperations).toEqual([waiting.operationId])
  const next = await use.client.supply(600n * USDC)
  await use.dev.withoutMining(async () => {
    await use.client.submitAll(next)
    await expect(revoke()).rejects.toMatchObject({ code: 'OPERATION_IN_PROGRESS' })
  })
  await use.engine.settle()
  expect((await use.client.operation(next)).state).toBe('COMPLETED')
  await expectRevoked()
})

test('a revocation that was cancelled leaves the allowance, shown again, and its event says what it was', async () => {
  const planned = await revoke()
  await cancelOperation(use.engine.parts, use.client.scope, planned.operationId)
  expect(await use.client.operation(planned)).toMatchObject({ type: 'REVOKE', state: 'ABORTED' })
  expect(await left()).toBe(600n * USDC)
  const events = await emittedEvents(use.engine.db, use.client.scope.organizationId, 'operation')
  expect(events.at(-1)).toMatchObject({
    event: 'operation.failed',
    data: { operationId: planned.operationId, amount: '0', revokesAllowance: String(600n * USDC) },
  })
})

test('while an agent executes an operation of the wallet, a client cannot revoke beside it', async () => {
  const wallet = await createOperationalWallet(use.engine, use.client)
  await planExplicitMove(use.engine, wallet, { type: 'SUPPLY', amount: 600n * USDC })
  await expect(revoke()).rejects.toMatchObject({ code: 'OPERATION_IN_PROGRESS' })
  const agent = createTestAgent(use.engine, use.client)
  const leased = await agent.pollRequired()
  await agent.submitted(leased, await use.dev.included(await agent.send(leased)))
  await use.engine.settle()
  await expectRevoked()
})
