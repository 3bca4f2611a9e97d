// Also tested elsewhere: bytes that a crash kept from a node (settlement/check-pending.test.ts), crashes between the
// send and its commit (submission/crash-recovery.test.ts), a replacement of an included transaction
// (../../watch/finality.test.ts), and faulty nodes (simulate/).
import { expect, test } from 'vitest'
import { pendingSupply, supplyOf } from '../../../testing/pending-supply.ts'
import { USDC } from '../../../testing/units.ts'
import { useEngine } from '../../../testing/use-engine.ts'

const use = useEngine()
const refused = (code: string) => expect.objectContaining({ code })

test('a pending transaction is replaced by the same plan with fees at least 10% higher, and by nothing else', async () => {
  const plan = await pendingSupply(use)
  const supply = supplyOf(plan)
  const little = await use.client.sign(supply, { feePercent: 109n })
  await expect(use.client.submit(plan, little)).rejects.toEqual(refused('OPERATION_ALREADY_SUBMITTED'))
  const { txHash } = await use.client.submit(plan, await use.client.sign(supply, { feePercent: 110n }))
  expect(supplyOf(await use.client.operation(plan)).txHash).toBe(txHash)
  await use.dev.mineAtOnce(true)
  await use.engine.settle()
  expect(supplyOf(await use.client.operation(plan))).toMatchObject({ status: 'confirmed', txHash })
  const late = await use.client.sign(supply, { feePercent: 200n })
  await expect(use.client.submit(plan, late)).rejects.toEqual(refused('OPERATION_ALREADY_SUBMITTED'))
})

test('bytes that the node certainly rejects leave the operation unchanged', async () => {
  const plan = await use.client.supply(100n * USDC)
  const before = await use.client.operation(plan)
  await use.dev.rpc('anvil_setBalance', use.client.address, '0x1')
  await expect(use.client.submit(plan, await use.client.sign(plan.transactions[0]!))).rejects.toEqual(
    refused('INSUFFICIENT_GAS'),
  )
  expect(await use.client.operation(plan)).toEqual(before)
  await use.dev.rpc('anvil_setBalance', use.client.address, '0x56bc75e2d63100000')
  expect((await use.client.complete(plan)).state).toBe('COMPLETED')
})

test('bytes whose fee is too low for any block are refused with that reason, and reissued bytes have a sufficient one', async () => {
  const plan = await use.client.supply(100n * USDC)
  const change = { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n }
  const cheap = await use.client.sign(plan.transactions[0]!, { change })
  await expect(use.client.submit(plan, cheap)).rejects.toMatchObject({
    code: 'SIMULATION_FAILED',
    details: { reason: 'the fee is too low' },
  })
  expect(await use.client.operation(plan)).toEqual(plan)
  expect((await use.client.complete(plan)).state).toBe('COMPLETED')
})

test('bytes whose gas limit is below their intrinsic cost are refused, although an embedded node would accept them', async () => {
  const plan = await use.client.supply(100n * USDC)
  for (const gas of [21_000n, 22_000n]) {
    const short = await use.client.sign(plan.transactions[0]!, { change: { gas } })
    await expect(use.client.submit(plan, short)).rejects.toMatchObject({
      code: 'SIMULATION_FAILED',
      details: { reason: 'the gas limit is too low or too high' },
    })
  }
  expect(await use.client.operation(plan)).toEqual(plan)
  expect((await use.client.complete(plan)).state).toBe('COMPLETED')
})

test('bytes whose nonce was used meanwhile are refused, and a new plan takes the next nonce', async () => {
  const plan = await use.client.supply(100n * USDC)
  await use.dev.included(await use.client.useNonce())
  const raw = await use.client.sign(plan.transactions[0]!)
  await expect(use.client.submit(plan, raw)).rejects.toMatchObject({
    code: 'OPERATION_EXPIRED',
    details: { refresh: `/v1/operations/${plan.operationId}/unsigned-transactions` },
  })
  expect((await use.client.operation(plan)).state).toBe('EXECUTING')
  await use.engine.settle()
  await expect(use.client.submit(plan, raw)).rejects.toEqual(refused('OPERATION_EXPIRED'))
  const again = await use.client.supply(100n * USDC)
  expect(again.transactions[0]!.nonce).toBe(plan.transactions[0]!.nonce! + 1)
  expect((await use.client.complete(again)).state).toBe('COMPLETED')
})
