import { describe, expect, test } from 'vitest'
import { expectChain } from '../../testing/expect-books.ts'
import { USDC } from '../../testing/main-job.ts'
import { idOf, refused, supplyOf, unknownHash, useReports } from '../../testing/use-reports.ts'
import type { Operation } from './index.ts'

const { use, recovered, cancel, approved, passUnseen } = useReports()

describe('recover', () => {
  test('finds the transaction by content, whichever it is', async () => {
    const plan = await use.client.supply(100n * USDC)
    await use.dev.mineAtOnce(false)
    await use.client.send(plan.transactions[0]!)
    const later = await use.client.send(plan.transactions[1]!)
    expect(await recovered(plan, later)).toMatchObject({ transactionId: idOf(plan, 1) })
    await use.dev.mineAtOnce(true)
    await use.job.settle()
    expect((await use.client.operation(plan)).state).toBe('COMPLETED')
  })

  test('where nothing in the operation matches is TRANSACTION_NOT_FOUND', async () => {
    const plan = await use.client.supply(100n * USDC)
    await expect(recovered(plan, await use.client.receive(1n))).rejects.toEqual(refused('TRANSACTION_NOT_FOUND'))
    await use.dev.mineAtOnce(false)
    const approval = await use.client.send(plan.transactions[0]!)
    await expect(recovered(plan, approval, idOf(plan, 1))).rejects.toEqual(refused('TRANSACTION_NOT_FOUND'))
  })

  test('when everything was submitted, or is confirmed, is INVALID_OPERATION_STATUS', async () => {
    const plan = await use.client.supply(100n * USDC)
    await use.dev.mineAtOnce(false)
    await use.client.submitAll(plan)
    await expect(recovered(plan, unknownHash())).rejects.toEqual(refused('INVALID_OPERATION_STATUS'))
    await use.dev.mineAtOnce(true)
    await use.job.settle()
    await expect(recovered(plan, unknownHash())).rejects.toEqual(refused('INVALID_OPERATION_STATUS'))
  })

  test.each([
    ['expired', async () => use.job.clock.advance(500_000)],
    ['was cancelled', (plan: Operation) => cancel(plan)],
    ['was superseded', () => use.client.supply(5n * USDC)],
  ])('on an operation that %s links what landed, and completes it', async (_, end) => {
    const plan = await approved(600n * USDC)
    const raw = await use.client.sign(supplyOf(plan))
    await end(plan)
    const hash = await use.dev.included(await use.dev.sendRaw(raw))
    expect(await recovered(plan, hash)).toMatchObject({ transactionId: supplyOf(plan).transactionId, txHash: hash })
    await use.job.settle()
    expect(await use.client.operation(plan)).toMatchObject({ state: 'COMPLETED', settledAmount: 600n * USDC })
    use.job.clock.advance(500_000)
  })

  test('on an ended operation takes a hash that nobody knows yet, and another one after it', async () => {
    const plan = await approved()
    await cancel(plan)
    await recovered(plan, unknownHash())
    expect(await use.client.operation(plan)).toMatchObject({ state: 'ABORTED' })
    await use.dev.mineAtOnce(false)
    const hash = await use.client.send(supplyOf(plan))
    expect(await recovered(plan, hash)).toMatchObject({ txHash: hash })
    await use.dev.mineAtOnce(true)
    await use.job.settle()
    expect(supplyOf(await use.client.operation(plan))).toMatchObject({ state: 'confirmed', txHash: hash })
  })

  test('what landed of an ended operation in a block that the follower never saw is settled from that block', async () => {
    const plan = await approved(600n * USDC)
    await cancel(plan)
    const hash = await use.dev.included(await use.client.send(supplyOf(plan)))
    await passUnseen(plan)
    await expectChain(use.job)
    await recovered(plan, hash)
    expect(await use.client.operation(plan)).toMatchObject({ state: 'COMPLETED', failureReason: 'CANCELLED' })
  })
})
