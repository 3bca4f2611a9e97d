import { describe, expect, test } from 'vitest'
import { USDC } from '../../../testing/engine-fixture.ts'
import { expectRefused, idOf, supplyOf, unknownHash, useReportedHashes } from '../../../testing/use-reported-hashes.ts'
import type { Operation } from '../index.ts'

const { engine, submitHash, cancel, approvedPlan } = useReportedHashes()

describe('submit-hash', () => {
  test('keeps the order of the operation’s transactions', async () => {
    const plan = await engine.client.supply(100n * USDC)
    await engine.dev.mineAtOnce(false)
    await engine.client.send(plan.transactions[0]!)
    const later = await engine.client.send(plan.transactions[1]!)
    await expect(submitHash(plan, later)).rejects.toEqual(expectRefused('INVALID_OPERATION_STATUS'))
    await expect(submitHash(plan, unknownHash(), idOf(plan, 1))).rejects.toEqual(
      expectRefused('INVALID_OPERATION_STATUS'),
    )
  })

  test('of a transaction that the chain knows and that is not the plan is TRANSACTION_MISMATCH, and changes nothing', async () => {
    const plan = await engine.client.supply(100n * USDC)
    const other = await engine.client.receive(1n)
    await expect(submitHash(plan, other)).rejects.toEqual(expectRefused('TRANSACTION_MISMATCH'))
    expect(await engine.client.operation(plan)).toMatchObject({ state: 'EXECUTING', flagReason: null })
  })

  test('when everything was submitted is OPERATION_ALREADY_SUBMITTED', async () => {
    const plan = await engine.client.supply(100n * USDC)
    await engine.dev.mineAtOnce(false)
    await engine.client.submitAll(plan)
    await expect(submitHash(plan, unknownHash())).rejects.toEqual(expectRefused('OPERATION_ALREADY_SUBMITTED'))
    await expect(submitHash(plan, unknownHash(), idOf(plan, 0))).rejects.toEqual(
      expectRefused('OPERATION_ALREADY_SUBMITTED'),
    )
    await engine.dev.mineAtOnce(true)
    await engine.job.settle()
    await expect(submitHash(plan, unknownHash())).rejects.toEqual(expectRefused('OPERATION_ALREADY_SUBMITTED'))
  })

  test.each([
    ['expired', 'OPERATION_EXPIRED', async () => engine.job.clock.advance(500_000)],
    ['was cancelled', 'INVALID_OPERATION_STATUS', (plan: Operation) => cancel(plan)],
  ])('on an operation that %s is %s, unless the chain has the transaction', async (_, code, end) => {
    const plan = await approvedPlan()
    await end(plan)
    await expect(submitHash(plan, unknownHash())).rejects.toEqual(expectRefused(code))
    await expect(submitHash(plan, await engine.client.receive(1n))).rejects.toEqual(expectRefused(code))
    const hash = await engine.dev.included(await engine.client.send(supplyOf(plan)))
    expect(await submitHash(plan, hash)).toMatchObject({ txHash: hash })
    await engine.job.settle()
    expect((await engine.client.operation(plan)).state).toBe('COMPLETED')
  })

  test('in time for its approval only is OPERATION_EXPIRED, while the approval is still in flight', async () => {
    const plan = await engine.client.supply(100n * USDC)
    await engine.dev.mineAtOnce(false)
    await submitHash(plan, await engine.client.send(plan.transactions[0]!))
    engine.job.clock.advance(500_000)
    await expect(submitHash(plan, unknownHash())).rejects.toEqual(expectRefused('OPERATION_EXPIRED'))
  })
})
