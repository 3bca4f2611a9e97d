import { describe, expect, test } from 'vitest'
import { supplyOf } from '../../../testing/operations/pending-supply.ts'
import { expectRefused, idOf, unknownHash, useReportedHashes } from '../../../testing/operations/use-reported-hashes.ts'
import { USDC } from '../../../testing/units.ts'
import type { Operation } from '../index.ts'

const { use, submitHash, cancel, approvedPlan } = useReportedHashes()

describe('submit-hash', () => {
  test('requires the order of the operation’s transactions', async () => {
    const plan = await use.client.supply(100n * USDC)
    await use.dev.mineAtOnce(false)
    await use.client.send(plan.transactions[0]!)
    const later = await use.client.send(plan.transactions[1]!)
    await expect(submitHash(plan, later)).rejects.toEqual(expectRefused('INVALID_OPERATION_STATUS'))
    await expect(submitHash(plan, unknownHash(), idOf(plan, 1))).rejects.toEqual(
      expectRefused('INVALID_OPERATION_STATUS'),
    )
  })

  test('is TRANSACTION_MISMATCH for a transaction on the chain that is not the planned one, and changes nothing', async () => {
    const plan = await use.client.supply(100n * USDC)
    const other = await use.client.receive(1n)
    await expect(submitHash(plan, other)).rejects.toEqual(expectRefused('TRANSACTION_MISMATCH'))
    expect(await use.client.operation(plan)).toMatchObject({ state: 'EXECUTING', flagReason: null })
  })

  test('is OPERATION_ALREADY_SUBMITTED if everything was submitted', async () => {
    const plan = await use.client.supply(100n * USDC)
    await use.dev.mineAtOnce(false)
    await use.client.submitAll(plan)
    await expect(submitHash(plan, unknownHash())).rejects.toEqual(expectRefused('OPERATION_ALREADY_SUBMITTED'))
    await expect(submitHash(plan, unknownHash(), idOf(plan, 0))).rejects.toEqual(
      expectRefused('OPERATION_ALREADY_SUBMITTED'),
    )
    await use.dev.mineAtOnce(true)
    await use.engine.settle()
    await expect(submitHash(plan, unknownHash())).rejects.toEqual(expectRefused('OPERATION_ALREADY_SUBMITTED'))
  })

  test.each([
    ['expired', 'OPERATION_EXPIRED', async () => use.engine.clock.advance(500_000)],
    ['was cancelled', 'INVALID_OPERATION_STATUS', (plan: Operation) => cancel(plan)],
  ])('on an operation that %s is %s, unless the chain has the transaction', async (_, code, end) => {
    const plan = await approvedPlan()
    await end(plan)
    await expect(submitHash(plan, unknownHash())).rejects.toEqual(expectRefused(code))
    await expect(submitHash(plan, await use.client.receive(1n))).rejects.toEqual(expectRefused(code))
    const hash = await use.dev.included(await use.client.send(supplyOf(plan)))
    expect(await submitHash(plan, hash)).toMatchObject({ txHash: hash })
    await use.engine.settle()
    expect((await use.client.operation(plan)).state).toBe('COMPLETED')
  })

  test('is OPERATION_EXPIRED after expiry, even while the approval is still in flight', async () => {
    const plan = await use.client.supply(100n * USDC)
    await use.dev.mineAtOnce(false)
    await submitHash(plan, await use.client.send(plan.transactions[0]!))
    use.engine.clock.advance(500_000)
    await expect(submitHash(plan, unknownHash())).rejects.toEqual(expectRefused('OPERATION_EXPIRED'))
  })
})
