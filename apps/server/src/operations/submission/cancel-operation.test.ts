import { describe, expect, test } from 'vitest'
import { anyState } from '../../../testing/operations/any-state.ts'
import { useEngine } from '../../../testing/operations/use-engine.ts'
import { USDC } from '../../../testing/units.ts'
import { cancelOperation, expireOverdue, type Operation } from '../index.ts'

const use = useEngine()
const cancel = ({ operationId }: Operation) => cancelOperation(use.engine.parts, use.client.scope, operationId)

const refused = (code: string) => expect.objectContaining({ code })

/** A plan whose approval is final and whose supply is unsubmitted. */
async function approved(amount: bigint): Promise<Operation> {
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

describe('cancelling', () => {
  test('releases the whole reservation at once, and cannot be done twice', async () => {
    const plan = await use.client.supply(900n * USDC)
    await cancel(plan)
    expect(await use.client.operation(plan)).toMatchObject({ state: 'ABORTED', failureReason: 'CANCELLED' })
    expect(await use.balances()).toEqual({ available: 1_000n, reserved: 0n, deployed: 0n })
    await expect(cancel(plan)).rejects.toEqual(refused('INVALID_OPERATION_STATUS'))
    await expect(use.client.submitAll(plan)).rejects.toEqual(refused('INVALID_OPERATION_STATUS'))
  })

  test('succeeds after a confirmed approval while nothing is in flight', async () => {
    const plan = await approved(100n * USDC)
    await cancel(plan)
    expect((await use.client.operation(plan)).transactions.map(({ status }) => status)).toEqual(['confirmed', 'failed'])
  })

  test('is refused while an approval is in flight, and after the last transaction was submitted', async () => {
    const plan = await use.client.supply(100n * USDC)
    await use.dev.mineAtOnce(false)
    await use.client.submit(plan, await use.client.sign(plan.transactions[0]!))
    await expect(cancel(plan)).rejects.toEqual(refused('INVALID_OPERATION_STATUS'))
    await use.client.submit(plan, await use.client.sign(plan.transactions[1]!))
    await expect(cancel(plan)).rejects.toEqual(refused('INVALID_OPERATION_STATUS'))
    expect((await use.client.operation(plan)).state).toBe('CONFIRMING')
  })

  test('succeeds for exactly one of many concurrent requests', async () => {
    const plan = await use.client.supply(100n * USDC)
    const results = await Promise.allSettled([1, 2, 3, 4].map(() => cancel(plan)))
    expect(results.filter(({ status }) => status === 'fulfilled').length).toBe(1)
  })

  test('concurrently with a submission leaves the operation either cancelled or submitted, never both', async () => {
    const { transactions, ...plan } = await approved(100n * USDC)
    const raw = await use.client.sign(transactions[1]!)
    await Promise.allSettled([use.client.submit(plan, raw), cancel({ transactions, ...plan })])
    const after = await use.client.operation(plan)
    const [, supply] = after.transactions
    if (after.state === 'ABORTED') expect(supply!.status).toBe('failed')
    else expect(supply!.status).toBe('pending')
    await use.engine.settle()
    await use.engine.settle()
  })

  test('a withdrawal reactivates its position', async () => {
    await use.client.complete(await use.client.supply(500n * USDC))
    await cancel(await use.client.unwind('full'))
    const { status } = await use.engine.db
      .selectFrom('allocations')
      .select('status')
      .where('wallet_id', '=', use.client.wallet.walletId)
      .executeTakeFirstOrThrow()
    expect(status).toBe('ACTIVE')
  })
})

describe('expiring', () => {
  test('an operation reads as expired from the moment it expires, before any sweep', async () => {
    const plan = await use.client.supply(900n * USDC)
    use.engine.clock.advance(119_999)
    expect((await use.client.operation(plan)).state).toBe('EXECUTING')
    use.engine.clock.advance(1)
    expect(await use.client.operation(plan)).toMatchObject({ state: 'FAILED', failureReason: 'EXPIRED' })
    expect(await use.balances()).toEqual({ available: 1_000n, reserved: 0n, deployed: 0n })
    await expect(use.client.submitAll(plan)).rejects.toEqual(refused('OPERATION_EXPIRED'))
  })

  test('before any sweep it cannot be cancelled either, and reads as expired', async () => {
    const plan = await use.client.supply(900n * USDC)
    use.engine.clock.advance(120_000)
    await expect(cancel(plan)).rejects.toEqual(refused('INVALID_OPERATION_STATUS'))
    expect(await use.client.operation(plan)).toMatchObject({ state: 'FAILED', failureReason: 'EXPIRED' })
  })

  test('before any sweep a new plan finds it expired, and supersedes nothing', async () => {
    const plan = await use.client.supply(900n * USDC)
    use.engine.clock.advance(120_000)
    const next = await use.client.supply(900n * USDC)
    expect(next.cancelledOperations).toEqual([])
    expect(await use.client.operation(plan)).toMatchObject({ state: 'FAILED', failureReason: 'EXPIRED' })
    expect(await use.balances()).toEqual({ available: 100n, reserved: 900n, deployed: 0n })
  })

  test('the sweep ends it, once', async () => {
    const plan = await use.client.supply(900n * USDC)
    use.engine.clock.advance(120_000)
    await Promise.all([expireOverdue(use.engine.parts), expireOverdue(use.engine.parts)])
    expect(await eventsOf(plan)).toEqual(['operation.created', 'operation.executing', 'operation.failed'])
  })

  test('waits for an approval in flight', async () => {
    const plan = await use.client.supply(100n * USDC)
    await use.dev.mineAtOnce(false)
    const { txHash } = await use.client.submit(plan, await use.client.sign(plan.transactions[0]!))
    use.engine.clock.advance(121_000)
    await expireOverdue(use.engine.parts)
    expect((await use.client.operation(plan)).state).toBe('EXECUTING')
    await use.dev.mineAtOnce(true)
    await use.engine.settle()
    await use.dev.included(txHash)
    expect(await use.client.operation(plan)).toMatchObject({ state: 'FAILED', failureReason: 'EXPIRED' })
    expect(await use.client.usdc()).toBe(1_000n * USDC)
  })

  test('never happens after the last transaction was submitted', async () => {
    const plan = await use.client.supply(100n * USDC)
    await use.dev.mineAtOnce(false)
    await use.client.submitAll(plan)
    use.engine.clock.advance(1_000_000)
    await expireOverdue(use.engine.parts)
    expect((await use.client.operation(plan)).state).toBe('CONFIRMING')
    await use.dev.mineAtOnce(true)
    await use.engine.settle()
    expect((await use.client.operation(plan)).state).toBe('COMPLETED')
  })
})
