import { describe, expect, test } from 'vitest'
import { expectLedgerMatchesChain } from '../../../testing/ledger/expect-ledger.ts'
import { supplyOf } from '../../../testing/operations/pending-supply.ts'
import { expectRefused, idOf, unknownHash, useReportedHashes } from '../../../testing/operations/use-reported-hashes.ts'
import { USDC } from '../../../testing/units.ts'
import type { Operation } from '../index.ts'

const { use, recover, cancel, approvedPlan, settleUnmatched } = useReportedHashes()

describe('recover', () => {
  test('finds any transaction of the operation by content', async () => {
    const plan = await use.client.supply(100n * USDC)
    await use.dev.mineAtOnce(false)
    await use.client.send(plan.transactions[0]!)
    const later = await use.client.send(plan.transactions[1]!)
    expect(await recover(plan, later)).toMatchObject({ transactionId: idOf(plan, 1) })
    await use.dev.mineAtOnce(true)
    await use.engine.settle()
    expect((await use.client.operation(plan)).state).toBe('COMPLETED')
  })

  test('is TRANSACTION_NOT_FOUND if nothing in the operation matches', async () => {
    const plan = await use.client.supply(100n * USDC)
    await expect(recover(plan, await use.client.receive(1n))).rejects.toEqual(expectRefused('TRANSACTION_NOT_FOUND'))
    await use.dev.mineAtOnce(false)
    const approval = await use.client.send(plan.transactions[0]!)
    await expect(recover(plan, approval, idOf(plan, 1))).rejects.toEqual(expectRefused('TRANSACTION_NOT_FOUND'))
  })

  test('is INVALID_OPERATION_STATUS if everything was submitted or is confirmed', async () => {
    const plan = await use.client.supply(100n * USDC)
    await use.dev.mineAtOnce(false)
    await use.client.submitAll(plan)
    await expect(recover(plan, unknownHash())).rejects.toEqual(expectRefused('INVALID_OPERATION_STATUS'))
    await use.dev.mineAtOnce(true)
    await use.engine.settle()
    await expect(recover(plan, unknownHash())).rejects.toEqual(expectRefused('INVALID_OPERATION_STATUS'))
  })

  test.each([
    ['expired', async () => use.engine.clock.advance(500_000)],
    ['was cancelled', (plan: Operation) => cancel(plan)],
    ['was superseded', () => use.client.supply(5n * USDC)],
  ])('on an operation that %s links the landed transaction and completes the operation', async (_, end) => {
    const plan = await approvedPlan(600n * USDC)
    const raw = await use.client.sign(supplyOf(plan))
    await end(plan)
    const hash = await use.dev.included(await use.dev.sendRaw(raw))
    expect(await recover(plan, hash)).toMatchObject({ transactionId: supplyOf(plan).transactionId, txHash: hash })
    await use.engine.settle()
    expect(await use.client.operation(plan)).toMatchObject({ state: 'COMPLETED', settledAmount: 600n * USDC })
    use.engine.clock.advance(500_000)
  })

  test('on an ended operation accepts a hash that no node knows yet, and another one after it', async () => {
    const plan = await approvedPlan()
    await cancel(plan)
    await recover(plan, unknownHash())
    expect(await use.client.operation(plan)).toMatchObject({ state: 'ABORTED' })
    await use.dev.mineAtOnce(false)
    const hash = await use.client.send(supplyOf(plan))
    expect(await recover(plan, hash)).toMatchObject({ txHash: hash })
    await use.dev.mineAtOnce(true)
    await use.engine.settle()
    expect(supplyOf(await use.client.operation(plan))).toMatchObject({ status: 'confirmed', txHash: hash })
  })

  test('settles a transaction of an ended operation from a block that the follower skipped', async () => {
    const plan = await approvedPlan(600n * USDC)
    await cancel(plan)
    const hash = await use.dev.included(await use.client.send(supplyOf(plan)))
    await settleUnmatched(plan)
    await expectLedgerMatchesChain(use.engine)
    await recover(plan, hash)
    expect(await use.client.operation(plan)).toMatchObject({ state: 'COMPLETED', failureReason: 'CANCELLED' })
  })
})
