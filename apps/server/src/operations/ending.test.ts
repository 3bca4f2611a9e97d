import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expectBooks, expectChain } from '../../testing/expect-books.ts'
import {
  type Client,
  type MainJob,
  startMainJob,
  startTestChain,
  type TestChain,
  USDC,
} from '../../testing/main-job.ts'
import { cancelOperation, expireOverdue, type Operation, planSupply } from './index.ts'

let dev: TestChain
let job: MainJob
let client: Client
beforeAll(async () => {
  dev = await startTestChain()
  job = await startMainJob(dev)
})
afterAll(async () => {
  await job?.close()
  await dev?.stop()
})
beforeEach(async () => {
  client = await job.client({ usdc: 1_000n * USDC })
  await job.settle()
  return async () => {
    await expectBooks(job)
    await dev.mineAtOnce(true)
  }
})

const cancel = ({ operationId }: Operation) => cancelOperation(job.parts, client.sight, operationId)
const refused = (code: string) => expect.objectContaining({ code })
/** A plan whose approval is final, and whose supply waits. */
async function approved(amount: bigint): Promise<Operation> {
  const plan = await client.supply(amount)
  await client.submit(plan, await client.sign(plan.transactions[0]!))
  await dev.included((await client.operation(plan)).transactions[0]!.txHash!)
  await job.settle()
  return client.operation(plan)
}
async function books() {
  const { available, reserved, deployed } = await job.db
    .selectFrom('ledger_balances')
    .selectAll()
    .where('wallet_id', '=', client.wallet.walletId)
    .where('token_address', '=', client.usdcAddress)
    .executeTakeFirstOrThrow()
  return { available: available / USDC, reserved: reserved / USDC, deployed: deployed / USDC }
}
async function told(operation: Operation): Promise<string[]> {
  const rows = await job.db
    .selectFrom('outbox')
    .select('event')
    .where('object_id', '=', operation.operationId)
    .orderBy('id')
    .execute()
  return rows.map(({ event }) => event)
}

describe('superseding', () => {
  test('a new plan ends the one that waits and takes over its money in the same transaction', async () => {
    const first = await client.supply(900n * USDC)
    expect(await books()).toEqual({ available: 100n, reserved: 900n, deployed: 0n })
    const second = await client.supply(950n * USDC)
    expect(second.cancelledOperations).toEqual([first.operationId])
    expect(await client.operation(first)).toMatchObject({ state: 'ABORTED', failureReason: 'SUPERSEDED' })
    expect(await books()).toEqual({ available: 50n, reserved: 950n, deployed: 0n })
    expect(await told(first)).toEqual(['operation.created', 'operation.executing', 'operation.failed'])
  })

  test.each([
    ['too much', 1_001n * USDC, 'INSUFFICIENT_BALANCE'],
    ['too little', 1n, 'AMOUNT_OUT_OF_BOUNDS'],
  ])('a plan that is refused (%s) ends nothing', async (_, amount, code) => {
    const first = await client.supply(900n * USDC)
    await expect(client.supply(amount)).rejects.toEqual(refused(code))
    await expect(client.unwind('full')).rejects.toEqual(refused('ALLOCATION_NOT_FOUND'))
    expect(await client.operation(first)).toMatchObject({ state: 'EXECUTING' })
    expect(await books()).toEqual({ available: 100n, reserved: 900n, deployed: 0n })
  })

  test('a plan whose transaction fails at its last moment ends nothing', async () => {
    const first = await client.supply(900n * USDC)
    const again = planSupply(
      job.parts,
      {
        sight: client.sight,
        walletId: client.wallet.walletId,
        strategyId: first.strategyId,
        amount: '5000000',
        tokenAddress: client.usdcAddress,
      },
      () => Promise.reject(new Error('the idempotency row could not be written')),
    )
    await expect(again).rejects.toThrow('idempotency')
    expect(await client.operation(first)).toMatchObject({ state: 'EXECUTING' })
    expect(await books()).toEqual({ available: 100n, reserved: 900n, deployed: 0n })
  })

  test('of plans made at the same moment one is alive afterwards, and only its money is held', async () => {
    const plans = await Promise.allSettled([1n, 2n, 3n, 4n, 5n].map((n) => client.supply(n * 100n * USDC)))
    expect(plans.every(({ status }) => status === 'fulfilled')).toBe(true)
    const alive = await job.db
      .selectFrom('operations')
      .select(['id', 'amount'])
      .where('wallet_id', '=', client.wallet.walletId)
      .where('state', '=', 'EXECUTING')
      .execute()
    expect(alive.length).toBe(1)
    expect((await books()).reserved).toBe(alive[0]!.amount! / USDC)
  })

  test('an operation with something in flight stands in the way of a new plan', async () => {
    const plan = await client.supply(100n * USDC)
    await dev.mineAtOnce(false)
    await client.submit(plan, await client.sign(plan.transactions[0]!))
    await expect(client.supply(100n * USDC)).rejects.toEqual(refused('OPERATION_IN_PROGRESS'))
    await client.submit(plan, await client.sign(plan.transactions[1]!))
    await expect(client.supply(100n * USDC)).rejects.toEqual(refused('OPERATION_IN_PROGRESS'))
  })

  test('an operation whose approval is confirmed is superseded like any other that waits', async () => {
    const first = await approved(100n * USDC)
    const second = await client.supply(300n * USDC)
    expect(second.cancelledOperations).toEqual([first.operationId])
    expect(await client.finish(second)).toMatchObject({ state: 'COMPLETED' })
  })
})

describe('cancelling', () => {
  test('gives everything back at once, and cannot be done twice', async () => {
    const plan = await client.supply(900n * USDC)
    await cancel(plan)
    expect(await client.operation(plan)).toMatchObject({ state: 'ABORTED', failureReason: 'CANCELLED' })
    expect(await books()).toEqual({ available: 1_000n, reserved: 0n, deployed: 0n })
    await expect(cancel(plan)).rejects.toEqual(refused('INVALID_OPERATION_STATUS'))
    await expect(client.submitAll(plan)).rejects.toEqual(refused('INVALID_OPERATION_STATUS'))
  })

  test('works when an approval is confirmed and nothing is in flight', async () => {
    const plan = await approved(100n * USDC)
    await cancel(plan)
    expect((await client.operation(plan)).transactions.map(({ state }) => state)).toEqual(['confirmed', 'failed'])
  })

  test('is refused while an approval is in flight, and once the last transaction was submitted', async () => {
    const plan = await client.supply(100n * USDC)
    await dev.mineAtOnce(false)
    await client.submit(plan, await client.sign(plan.transactions[0]!))
    await expect(cancel(plan)).rejects.toEqual(refused('INVALID_OPERATION_STATUS'))
    await client.submit(plan, await client.sign(plan.transactions[1]!))
    await expect(cancel(plan)).rejects.toEqual(refused('INVALID_OPERATION_STATUS'))
    expect((await client.operation(plan)).state).toBe('CONFIRMING')
  })

  test('of many that cancel at the same moment one succeeds', async () => {
    const plan = await client.supply(100n * USDC)
    const results = await Promise.allSettled([1, 2, 3, 4].map(() => cancel(plan)))
    expect(results.filter(({ status }) => status === 'fulfilled').length).toBe(1)
  })

  test('and submitting at the same moment leaves the operation either cancelled or submitted, never both', async () => {
    const { transactions, ...plan } = await approved(100n * USDC)
    const raw = await client.sign(transactions[1]!)
    await Promise.allSettled([client.submit(plan, raw), cancel({ transactions, ...plan })])
    const after = await client.operation(plan)
    const [, supply] = after.transactions
    if (after.state === 'ABORTED') expect(supply!.state).toBe('failed')
    else expect(supply!.state).toBe('pending')
    await job.settle()
    await job.settle()
    await expectChain(job)
  })

  test('a withdrawal makes its position active again', async () => {
    await client.finish(await client.supply(500n * USDC))
    await cancel(await client.unwind('full'))
    const { status } = await job.db
      .selectFrom('allocations')
      .select('status')
      .where('wallet_id', '=', client.wallet.walletId)
      .executeTakeFirstOrThrow()
    expect(status).toBe('ACTIVE')
  })
})

describe('expiring', () => {
  test('an operation reads expired from the moment that it is, whether or not a sweep came by', async () => {
    const plan = await client.supply(900n * USDC)
    job.clock.advance(119_999)
    expect((await client.operation(plan)).state).toBe('EXECUTING')
    job.clock.advance(1)
    expect(await client.operation(plan)).toMatchObject({ state: 'FAILED', failureReason: 'EXPIRED' })
    expect(await books()).toEqual({ available: 1_000n, reserved: 0n, deployed: 0n })
    await expect(client.submitAll(plan)).rejects.toEqual(refused('OPERATION_EXPIRED'))
  })

  test('the sweep ends it too, once', async () => {
    const plan = await client.supply(900n * USDC)
    job.clock.advance(120_000)
    await Promise.all([expireOverdue(job.parts), expireOverdue(job.parts)])
    expect(await told(plan)).toEqual(['operation.created', 'operation.executing', 'operation.failed'])
  })

  test('waits for what is in flight, then comes', async () => {
    const plan = await client.supply(100n * USDC)
    await dev.mineAtOnce(false)
    const { txHash } = await client.submit(plan, await client.sign(plan.transactions[0]!))
    job.clock.advance(121_000)
    await expireOverdue(job.parts)
    expect((await client.operation(plan)).state).toBe('EXECUTING')
    await dev.mineAtOnce(true)
    await job.settle()
    await dev.included(txHash)
    expect(await client.operation(plan)).toMatchObject({ state: 'FAILED', failureReason: 'EXPIRED' })
    expect(await client.usdc()).toBe(1_000n * USDC)
  })

  test('never comes once the last transaction was submitted', async () => {
    const plan = await client.supply(100n * USDC)
    await dev.mineAtOnce(false)
    await client.submitAll(plan)
    job.clock.advance(1_000_000)
    await expireOverdue(job.parts)
    expect((await client.operation(plan)).state).toBe('CONFIRMING')
    await dev.mineAtOnce(true)
    await job.settle()
    expect((await client.operation(plan)).state).toBe('COMPLETED')
  })
})

describe('landing late', () => {
  test('bytes of a cancelled operation that land complete it, and the money moves to the position', async () => {
    const plan = await approved(600n * USDC)
    const raw = await client.sign(plan.transactions[1]!)
    await cancel(plan)
    expect(await books()).toEqual({ available: 1_000n, reserved: 0n, deployed: 0n })
    await dev.included(await dev.sendRaw(raw))
    await job.settle()
    expect(await client.operation(plan)).toMatchObject({
      state: 'COMPLETED',
      failureReason: 'CANCELLED',
      settledAmount: 600n * USDC,
    })
    expect((await books()).available).toBe(400n)
    expect(await told(plan)).toEqual([
      'operation.created',
      'operation.executing',
      'operation.failed',
      'operation.completed',
    ])
    await expectChain(job)
  })

  test('bytes of an expired operation that the chain has are linked instead of refused', async () => {
    const plan = await approved(600n * USDC)
    const raw = await client.sign(plan.transactions[1]!)
    job.clock.advance(500_000)
    expect((await client.operation(plan)).state).toBe('FAILED')
    await expect(client.submit(plan, raw)).rejects.toEqual(refused('OPERATION_EXPIRED'))
    const hash = await dev.included(await dev.sendRaw(raw))
    expect(await client.submit(plan, raw)).toMatchObject({ txHash: hash })
    await job.settle()
    expect((await client.operation(plan)).state).toBe('COMPLETED')
    expect(await client.submit(plan, raw)).toMatchObject({ txHash: hash })
    await expectChain(job)
  })

  test('what another operation holds is an open break until that operation ends, and then nothing is missing', async () => {
    const first = await approved(600n * USDC)
    const raw = await client.sign(first.transactions[1]!)
    const second = await client.supply(700n * USDC)
    await dev.included(await dev.sendRaw(raw))
    await job.settle()
    expect((await client.operation(first)).state).toBe('COMPLETED')
    await expectChain(job)
    expect(await openBreaks()).toMatchObject([{ amount: 300n * USDC }])
    expect(await books()).toMatchObject({ available: 0n, reserved: 700n })
    await expect(client.submitAll(second)).rejects.toEqual(refused('OPERATION_EXPIRED'))
    job.clock.advance(500_000)
    await expireOverdue(job.parts)
    await job.settle()
    expect(await openBreaks()).toEqual([])
    expect((await books()).available).toBe(400n)
    await expectChain(job)
  })

  test('the operation that had taken the same nonce fails as replaced, and says by what', async () => {
    const first = await approved(600n * USDC)
    const late = await client.sign(first.transactions[1]!, { feePercent: 200n })
    const second = await client.supply(300n * USDC)
    await dev.mineAtOnce(false)
    await client.submit(second, await client.sign(second.transactions[0]!))
    const hash = await dev.sendRaw(late)
    await dev.mineAtOnce(true)
    await job.settle()
    expect(await client.operation(first)).toMatchObject({ state: 'COMPLETED', failureReason: 'SUPERSEDED' })
    const after = await client.operation(second)
    expect(after).toMatchObject({ state: 'FAILED', failureReason: 'ONCHAIN' })
    expect(after.transactions[0]).toMatchObject({ state: 'failed', failureCode: 'REPLACED' })
    expect(after.transactions[0]!.error).toContain(hash)
    await expectChain(job)
  })
})

function openBreaks() {
  return job.db
    .selectFrom('ledger_breaks')
    .select(['amount', 'reason'])
    .where('wallet_id', '=', client.wallet.walletId)
    .where('closed_at', 'is', null)
    .execute()
}
