import { keccak256 } from 'viem'
import { describe, expect, test } from 'vitest'
import { anyState } from '../../../testing/any-state.ts'
import { USDC } from '../../../testing/units.ts'
import { useEngine } from '../../../testing/use-engine.ts'
import { checkPendingTransactions, type Operation, type Parts, submitSigned } from '../index.ts'

const use = useEngine()
const refused = (code: string) => expect.objectContaining({ code })

/** An unmined supply in the node's pool, whose approval is confirmed. */
async function pending(amount = 100n * USDC): Promise<Operation> {
  const plan = await use.client.supply(amount)
  await use.client.submit(plan, await use.client.sign(plan.transactions[0]!))
  await use.engine.settle()
  await use.dev.mineAtOnce(false)
  await use.client.submitAll(await use.client.operation(plan))
  return use.client.operation(plan)
}

const supplyOf = ({ transactions }: Operation) => anyState(transactions.at(-1)!)

/** Advances the clock and checks pending transactions. */
async function after(milliseconds: number): Promise<void> {
  use.engine.clock.advance(milliseconds)
  await checkPendingTransactions(use.engine.parts, use.engine.chain)
}

/** A chain that drops broadcasts, as if the process died between storing and sending. */
function partsThatDieBeforeSending(): Parts {
  const chain = {
    ...use.engine.chain,
    broadcast: () => Promise.reject(new Error('the process died')),
  }
  return { ...use.engine.parts, chains: new Map([[chain.network.blockchain, chain]]) }
}

describe('submitting', () => {
  test('the same bytes again return the first result', async () => {
    const plan = await use.client.supply(100n * USDC)
    const raw = await use.client.sign(plan.transactions[0]!)
    const first = await use.client.submit(plan, raw)
    expect(await use.client.submit(plan, raw)).toEqual(first)
    await use.engine.settle()
    expect(await use.client.submit(plan, raw)).toEqual(first)
  })

  test('bytes that do not match the plan are refused, and neither stored nor sent', async () => {
    const plan = await use.client.supply(100n * USDC)
    const before = await use.client.operation(plan)
    const [approve] = plan.transactions
    const stranger = await use.engine.client({ usdc: 0n })
    const others = [
      use.client.sign(approve!, { change: { to: stranger.address } }),
      use.client.sign(approve!, { change: { value: 1n } }),
      use.client.sign(approve!, { change: { data: '0x095ea7b3' } }),
      use.client.sign(approve!, { change: { nonce: 7 } }),
      use.client.sign(approve!, { change: { chainId: 1 } }),
      stranger.sign(approve!),
    ]
    for (const other of others) {
      await expect(use.client.submit(plan, await other)).rejects.toEqual(refused('TRANSACTION_MISMATCH'))
    }
    expect(await use.client.operation(plan)).toEqual(before)
    const stored = await use.engine.db
      .selectFrom('transaction_hashes')
      .selectAll()
      .where('transaction_id', '=', approve!.transactionId)
      .execute()
    expect(stored).toEqual([])
  })

  test('transactions are submitted in order', async () => {
    const plan = await use.client.supply(100n * USDC)
    const raw = await use.client.sign(plan.transactions[1]!)
    await expect(use.client.submit(plan, raw)).rejects.toEqual(refused('INVALID_OPERATION_STATUS'))
  })

  test('a pending transaction is replaced by the same plan with fees at least 10 % higher, and by nothing else', async () => {
    const plan = await pending()
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
})

describe('a crash between storing and sending', () => {
  test('the check of pending transactions sends the very same bytes', async () => {
    const plan = await use.client.supply(100n * USDC)
    const raw = await use.client.sign(plan.transactions[0]!)
    const lost = submitSigned(partsThatDieBeforeSending(), {
      scope: use.client.scope,
      operationId: plan.operationId,
      signedTransaction: raw,
    })
    await expect(lost).rejects.toThrow('died')
    expect((await use.client.operation(plan)).transactions[0]).toMatchObject({
      status: 'pending',
      txHash: keccak256(raw),
    })
    await after(5_000)
    await use.dev.included(keccak256(raw))
    await use.engine.settle()
    expect((await use.client.operation(plan)).transactions[0]!.status).toBe('confirmed')
  })

  test('a replacement that was stored but not sent is sent, although the node still knows its predecessor', async () => {
    const plan = await pending()
    const raw = await use.client.sign(supplyOf(plan), { feePercent: 150n })
    const lost = submitSigned(partsThatDieBeforeSending(), {
      scope: use.client.scope,
      operationId: plan.operationId,
      signedTransaction: raw,
    })
    await expect(lost).rejects.toThrow('died')
    await after(5_000)
    await use.dev.mineAtOnce(true)
    await use.engine.settle()
    expect(supplyOf(await use.client.operation(plan))).toMatchObject({ status: 'confirmed', txHash: keccak256(raw) })
  })

  test('bytes that no node ever acknowledges do not block the wallet forever', async () => {
    const plan = await use.client.supply(100n * USDC)
    const chain = {
      ...use.engine.chain,
      broadcast: () => Promise.resolve({ outcome: 'unknown' as const, reason: 'odd words' }),
    }
    const parts: Parts = { ...use.engine.parts, chains: new Map([[chain.network.blockchain, chain]]) }
    const raw = await use.client.sign(plan.transactions[0]!)
    await submitSigned(parts, { scope: use.client.scope, operationId: plan.operationId, signedTransaction: raw })
    for (let attempt = 0; attempt < 3; attempt += 1) {
      use.engine.clock.advance(60_000)
      await checkPendingTransactions(parts, chain)
    }
    const ended = await use.client.operation(plan)
    expect(ended.state).toBe('FAILED')
    expect(ended.transactions[0]).toMatchObject({ failureCode: 'DROPPED' })
  })
})
