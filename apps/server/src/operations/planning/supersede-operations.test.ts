import { expect, test } from 'vitest'
import { failingTransact } from '../../../testing/index.ts'
import { anyState } from '../../../testing/operations/any-state.ts'
import { BY_KEY } from '../../../testing/operations/requesters.ts'
import { useEngine } from '../../../testing/operations/use-engine.ts'
import { USDC } from '../../../testing/units.ts'
import { type Operation, planSupply } from '../index.ts'

const use = useEngine()
const refused = (code: string) => expect.objectContaining({ code })

/** A plan whose token approval is final and whose supply is unsigned. */
async function planWithFinalApproval(amount: bigint): Promise<Operation> {
  const plan = await use.client.supply(amount)
  await use.client.submit(plan, await use.client.sign(plan.transactions[0]!))
  await use.dev.included(anyState((await use.client.operation(plan)).transactions[0]!).txHash!)
  await use.engine.settle()
  return use.client.operation(plan)
}

async function eventsOf(operation: Operation): Promise<string[]> {
  const rows = await use.engine.db
    .selectFrom('outbox')
    .select('event')
    .where('object_id', '=', operation.operationId)
    .orderBy('id')
    .execute()
  return rows.map(({ event }) => event)
}

test('a new plan ends the waiting one and takes over its reservation in the same transaction', async () => {
  const first = await use.client.supply(900n * USDC)
  expect(await use.balances()).toEqual({ available: 100n, reserved: 900n, deployed: 0n })
  const second = await use.client.supply(950n * USDC)
  expect(second.cancelledOperations).toEqual([first.operationId])
  expect(await use.client.operation(first)).toMatchObject({ state: 'ABORTED', failureReason: 'SUPERSEDED' })
  expect(await use.balances()).toEqual({ available: 50n, reserved: 950n, deployed: 0n })
  expect(await eventsOf(first)).toEqual(['operation.created', 'operation.executing', 'operation.failed'])
})

test.each([
  ['too much', 1_001n * USDC, 'INSUFFICIENT_BALANCE'],
  ['too little', 1n, 'AMOUNT_OUT_OF_BOUNDS'],
])('a refused plan (%s) ends nothing', async (_, amount, code) => {
  const first = await use.client.supply(900n * USDC)
  await expect(use.client.supply(amount)).rejects.toEqual(refused(code))
  await expect(use.client.unwind('full')).rejects.toEqual(refused('ALLOCATION_NOT_FOUND'))
  expect(await use.client.operation(first)).toMatchObject({ state: 'EXECUTING' })
  expect(await use.balances()).toEqual({ available: 100n, reserved: 900n, deployed: 0n })
})

test('a plan whose database transaction fails at the end supersedes nothing', async () => {
  const first = await use.client.supply(900n * USDC)
  const attempt = planSupply(
    use.engine.parts,
    {
      scope: use.client.scope,
      walletId: use.client.wallet.walletId,
      strategyId: first.strategyId,
      amount: 5n * USDC,
      tokenAddress: use.client.usdcAddress,
      requestedBy: BY_KEY,
    },
    failingTransact(use.engine.db, 'the idempotency row could not be written'),
  )
  await expect(attempt).rejects.toThrow('idempotency')
  expect(await use.client.operation(first)).toMatchObject({ state: 'EXECUTING' })
  expect(await use.balances()).toEqual({ available: 100n, reserved: 900n, deployed: 0n })
})

test('one of several simultaneous plans survives, and only its amount stays reserved', async () => {
  const plans = await Promise.allSettled([1n, 2n, 3n, 4n, 5n].map((n) => use.client.supply(n * 100n * USDC)))
  expect(plans.every(({ status }) => status === 'fulfilled')).toBe(true)
  const remaining = await use.engine.db
    .selectFrom('operations')
    .select(['id', 'amount'])
    .where('wallet_id', '=', use.client.wallet.walletId)
    .where('state', '=', 'EXECUTING')
    .execute()
  expect(remaining.length).toBe(1)
  expect((await use.balances()).reserved).toBe(remaining[0]!.amount! / USDC)
})

test('an operation with a transaction in flight blocks a new plan', async () => {
  const plan = await use.client.supply(100n * USDC)
  await use.dev.mineAtOnce(false)
  await use.client.submit(plan, await use.client.sign(plan.transactions[0]!))
  await expect(use.client.supply(100n * USDC)).rejects.toEqual(refused('OPERATION_IN_PROGRESS'))
  await use.client.submit(plan, await use.client.sign(plan.transactions[1]!))
  await expect(use.client.supply(100n * USDC)).rejects.toEqual(refused('OPERATION_IN_PROGRESS'))
})

test('an operation whose token approval is confirmed is superseded like any other waiting one', async () => {
  const first = await planWithFinalApproval(100n * USDC)
  const second = await use.client.supply(300n * USDC)
  expect(second.cancelledOperations).toEqual([first.operationId])
  expect(await use.client.complete(second)).toMatchObject({ state: 'COMPLETED' })
})
