// Also tested elsewhere: bytes that a crash kept from a node (settlement/pending/check-pending.test.ts), crashes between the
// send and its commit (submission/crash-recovery.test.ts), a replacement of an included transaction
// (../../watch/finality.test.ts), and faulty nodes (simulate/).
import { expect, test } from 'vitest'
import { pendingSupply, supplyOf } from '../../../testing/operations/pending-supply.ts'
import { useEngine } from '../../../testing/operations/use-engine.ts'
import { USDC } from '../../../testing/units.ts'
import type { BroadcastResult } from '../../chains/index.ts'
import { BROADCAST_REQUEST_TIMEOUT_MS } from '../../kernel/index.ts'
import { checkPendingTransactions, type Operation, type Parts, submitSigned } from '../index.ts'

const use = useEngine()
const refused = (code: string) => expect.objectContaining({ code })
const FULL_POOL: BroadcastResult = { outcome: 'refused', code: 'SIMULATION_FAILED', reason: 'txpool is full' }

/** The chain with another answer to what is sent to it. */
const answering = (broadcast: () => Promise<BroadcastResult>) => ({ ...use.engine.chain, broadcast })

/** Submits the first transaction of a plan; `meanwhile` runs while the node holds it, and then returns its answer. */
async function submitSlowly(plan: Operation, meanwhile: () => Promise<BroadcastResult>) {
  const chain = answering(meanwhile)
  const parts: Parts = { ...use.engine.parts, chains: new Map([[chain.network.blockchain, chain]]) }
  const signedTransaction = await use.client.sign(plan.transactions[0]!)
  return submitSigned(parts, { scope: use.client.scope, operationId: plan.operationId, signedTransaction })
}

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

test('bytes whose first sending had no result keep their submission, whatever a node says later', async () => {
  const plan = await use.client.supply(100n * USDC)
  const { txHash } = await submitSlowly(plan, async () => ({ outcome: 'unknown', reason: 'bad gateway' }))
  use.engine.clock.advance(BROADCAST_REQUEST_TIMEOUT_MS)
  await checkPendingTransactions(
    use.engine.parts,
    answering(async () => FULL_POOL),
  )
  expect((await use.client.operation(plan)).transactions[0]).toMatchObject({ state: 'submitted', txHash })
  await checkPendingTransactions(use.engine.parts, use.engine.chain)
  await use.dev.included(txHash)
  await use.engine.settle()
  expect((await use.client.operation(plan)).transactions[0]).toMatchObject({ state: 'confirmed', txHash })
})

test('a node that refuses slowly undoes nothing: the follower may have sent the same bytes meanwhile', async () => {
  const { engine, client, dev } = use
  const plan = await client.supply(100n * USDC)
  const { txHash } = await submitSlowly(plan, async () => {
    engine.clock.advance(BROADCAST_REQUEST_TIMEOUT_MS)
    return FULL_POOL
  })
  expect((await client.operation(plan)).transactions[0]).toMatchObject({ state: 'submitted', txHash })
  await checkPendingTransactions(engine.parts, engine.chain)
  await dev.included(txHash)
  await engine.settle()
  expect((await client.operation(plan)).transactions[0]).toMatchObject({ state: 'confirmed', txHash })
})

test('bytes whose operation ended while they were being sent get the answer for one that has ended', async () => {
  const { engine, client, dev } = use
  const plan = await client.supply(100n * USDC)
  const answer = submitSlowly(plan, async () => {
    engine.clock.advance(BROADCAST_REQUEST_TIMEOUT_MS)
    await dev.included(await client.useNonce())
    await engine.settle()
    return { outcome: 'stale', reason: 'nonce too low' }
  })
  await expect(answer).rejects.toMatchObject({ code: 'INVALID_OPERATION_STATUS' })
  expect(await client.operation(plan)).toMatchObject({ state: 'FAILED' })
})
