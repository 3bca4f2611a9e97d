import { describe, expect, test } from 'vitest'
import { USDC } from '../../testing/main-job.ts'
import { idOf, refused, supplyOf, unknownHash, useReports } from '../../testing/use-reports.ts'
import type { Operation } from './index.ts'

const { use, submit, cancel, approved } = useReports()

describe('submit-hash', () => {
  test('keeps the order of the operation’s transactions', async () => {
    const plan = await use.client.supply(100n * USDC)
    await use.dev.mineAtOnce(false)
    await use.client.send(plan.transactions[0]!)
    const later = await use.client.send(plan.transactions[1]!)
    await expect(submit(plan, later)).rejects.toEqual(refused('INVALID_OPERATION_STATUS'))
    await expect(submit(plan, unknownHash(), idOf(plan, 1))).rejects.toEqual(refused('INVALID_OPERATION_STATUS'))
  })

  test('of a transaction that the chain knows and that is not the plan is TRANSACTION_MISMATCH, and changes nothing', async () => {
    const plan = await use.client.supply(100n * USDC)
    const other = await use.client.receive(1n)
    await expect(submit(plan, other)).rejects.toEqual(refused('TRANSACTION_MISMATCH'))
    expect(await use.client.operation(plan)).toMatchObject({ state: 'EXECUTING', flagged: null })
  })

  test('when everything was submitted is OPERATION_ALREADY_SUBMITTED', async () => {
    const plan = await use.client.supply(100n * USDC)
    await use.dev.mineAtOnce(false)
    await use.client.submitAll(plan)
    await expect(submit(plan, unknownHash())).rejects.toEqual(refused('OPERATION_ALREADY_SUBMITTED'))
    await expect(submit(plan, unknownHash(), idOf(plan, 0))).rejects.toEqual(refused('OPERATION_ALREADY_SUBMITTED'))
    await use.dev.mineAtOnce(true)
    await use.job.settle()
    await expect(submit(plan, unknownHash())).rejects.toEqual(refused('OPERATION_ALREADY_SUBMITTED'))
  })

  test.each([
    ['expired', 'OPERATION_EXPIRED', async () => use.job.clock.advance(500_000)],
    ['was cancelled', 'INVALID_OPERATION_STATUS', (plan: Operation) => cancel(plan)],
  ])('on an operation that %s is %s, unless the chain has the transaction', async (_, code, end) => {
    const plan = await approved()
    await end(plan)
    await expect(submit(plan, unknownHash())).rejects.toEqual(refused(code))
    await expect(submit(plan, await use.client.receive(1n))).rejects.toEqual(refused(code))
    const hash = await use.dev.included(await use.client.send(supplyOf(plan)))
    expect(await submit(plan, hash)).toMatchObject({ txHash: hash })
    await use.job.settle()
    expect((await use.client.operation(plan)).state).toBe('COMPLETED')
  })

  test('in time for its approval only is OPERATION_EXPIRED, while the approval is still in flight', async () => {
    const plan = await use.client.supply(100n * USDC)
    await use.dev.mineAtOnce(false)
    await submit(plan, await use.client.send(plan.transactions[0]!))
    use.job.clock.advance(500_000)
    await expect(submit(plan, unknownHash())).rejects.toEqual(refused('OPERATION_EXPIRED'))
  })
})
