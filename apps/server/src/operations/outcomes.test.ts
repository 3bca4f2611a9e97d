import { keccak256 } from 'viem'
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
import { checkPending, type Operation, type Parts, submitSigned } from './index.ts'

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
    await dev.mineAtOnce(true)
    await job.settle()
    await expectBooks(job)
    await expectChain(job)
  }
})

const refused = (code: string) => expect.objectContaining({ code })

/** A supply in the node's pool, unmined, whose approval stands already. */
async function pending(amount = 100n * USDC): Promise<Operation> {
  const plan = await client.supply(amount)
  await client.submit(plan, await client.sign(plan.transactions[0]!))
  await job.settle()
  await dev.mineAtOnce(false)
  await client.submitAll(await client.operation(plan))
  return client.operation(plan)
}
const supplyOf = ({ transactions }: Operation) => transactions.at(-1)!
async function available(): Promise<bigint> {
  const row = await job.db
    .selectFrom('ledger_balances')
    .select('available')
    .where('wallet_id', '=', client.wallet.walletId)
    .where('token_address', '=', client.usdcAddress)
    .executeTakeFirstOrThrow()
  return row.available / USDC
}
/** The service looks after pending transactions when so much time of its clock has passed. */
async function after(milliseconds: number): Promise<void> {
  job.clock.advance(milliseconds)
  await checkPending(job.parts, job.chain)
}
/** A chain whose broadcasts do not happen: the process dies between storing and sending. */
function partsThatDieBeforeSending(): Parts {
  const chain = {
    ...job.chain,
    broadcast: () => Promise.reject(new Error('the process died')),
  }
  return { ...job.parts, chains: new Map([[chain.network.blockchain, chain]]) }
}

describe('what the chain makes of a submitted transaction', () => {
  test('its nonce was used by another one: it is replaced, and its money is free again', async () => {
    const plan = await pending()
    await dev.rpc('anvil_dropTransaction', supplyOf(plan).txHash)
    const hash = await client.useNonce()
    await job.settle()
    await dev.mineAtOnce(true)
    await job.settle()
    const ended = await client.operation(plan)
    expect(ended).toMatchObject({ state: 'FAILED', failureReason: 'ONCHAIN' })
    expect(supplyOf(ended)).toMatchObject({ state: 'failed', failureCode: 'REPLACED' })
    expect(supplyOf(ended).error).toContain(hash)
    expect(await available()).toBe(1_000n)
  })

  test('no node ever had it, and its nonce was used: its nonce was too low', async () => {
    const plan = await client.supply(100n * USDC)
    const [first] = plan.transactions
    const lost = submitSigned(partsThatDieBeforeSending(), {
      sight: client.sight,
      operationId: plan.operationId,
      signedTransaction: await client.sign(first!),
    })
    await expect(lost).rejects.toThrow('died')
    const hash = await client.useNonce()
    await job.settle()
    const ended = await client.operation(plan)
    expect(ended.state).toBe('FAILED')
    expect(ended.transactions[0]).toMatchObject({ failureCode: 'NONCE_TOO_LOW' })
    expect(ended.transactions[0]!.error).toContain(hash)
  })

  test('the client itself sent the same plan with higher fees: it is ours, under its new hash', async () => {
    const plan = await pending()
    const raw = await client.sign(supplyOf(plan), { feePercent: 150n })
    await dev.sendRaw(raw)
    await dev.mineAtOnce(true)
    await job.settle()
    const done = await client.operation(plan)
    expect(done.state).toBe('COMPLETED')
    expect(supplyOf(done).txHash).toBe(keccak256(raw))
  })

  test('it was never reported at all: it is found by its content, and completes its operation', async () => {
    const plan = await client.supply(100n * USDC)
    for (const transaction of plan.transactions) await dev.included(await client.send(transaction))
    await job.settle()
    const done = await client.operation(plan)
    expect(done).toMatchObject({ state: 'COMPLETED', settledAmount: 100n * USDC })
    expect(done.transactions.map(({ state }) => state)).toEqual(['confirmed', 'confirmed'])
    expect(done.transactions.every(({ txHash }) => txHash !== null)).toBe(true)
  })

  test('the contract reverted it: the operation failed on chain with the contract’s reason, its money free again', async () => {
    const plan = await pending()
    await dev.rpc('anvil_dropTransaction', supplyOf(plan).txHash)
    const [spent, supply] = [await client.spend(950n * USDC), await client.sign(supplyOf(plan))]
    await dev.rpc('anvil_dropTransaction', spent)
    // The money leaves first, by way of a balance that the chain itself changes: same block, same nonce order.
    const taker = await job.client({ usdc: 0n })
    await dev.rpc('anvil_setBalance', taker.address, '0x56bc75e2d63100000')
    await dev.sendRaw(supply)
    await dev.rpc('anvil_impersonateAccount', client.address)
    await drain()
    await dev.mineAtOnce(true)
    await job.settle()
    const ended = await client.operation(plan)
    expect(ended).toMatchObject({ state: 'FAILED', failureReason: 'ONCHAIN' })
    expect(supplyOf(ended)).toMatchObject({ state: 'failed', failureCode: 'REVERTED' })
    expect(supplyOf(ended).revertReason).toMatch(/balance/i)
    expect(supplyOf(ended).blockNumber).not.toBeNull()
    const [held] = await job.db
      .selectFrom('reservations')
      .select('released_at')
      .where('operation_id', '=', plan.operationId)
      .execute()
    expect(held!.released_at).not.toBeNull()
  })

  /** The token's storage says that the wallet has nothing: what a transfer before it in the block would do. */
  async function drain(): Promise<void> {
    await dev.rpc('anvil_dealERC20', client.address, client.usdcAddress, '0x0')
  }

  test('it ran out of gas: the operation failed on chain and says so', async () => {
    const plan = await client.supply(100n * USDC)
    await client.submit(plan, await client.sign(plan.transactions[0]!))
    await job.settle()
    const raw = await client.sign(plan.transactions[1]!, { change: { gas: 24_000n } })
    await client.submit(plan, raw)
    await job.settle()
    const ended = await client.operation(plan)
    expect(ended).toMatchObject({ state: 'FAILED', failureReason: 'ONCHAIN' })
    expect(supplyOf(ended)).toMatchObject({ failureCode: 'OUT_OF_GAS' })
    expect(await available()).toBe(1_000n)
  })

  test('no node knows it for two minutes: it is dropped, and not a moment sooner', async () => {
    const plan = await pending()
    await dev.rpc('anvil_dropTransaction', supplyOf(plan).txHash)
    await after(119_999)
    expect((await client.operation(plan)).state).toBe('CONFIRMING')
    await after(1)
    const ended = await client.operation(plan)
    expect(ended).toMatchObject({ state: 'FAILED', failureReason: 'ONCHAIN' })
    expect(supplyOf(ended)).toMatchObject({ failureCode: 'DROPPED' })
    expect(await available()).toBe(1_000n)
  })

  test('nodes know it but no block takes it for thirty minutes: it timed out', async () => {
    const plan = await pending()
    await after(60_000)
    await after(29 * 60_000 - 1)
    expect((await client.operation(plan)).state).toBe('CONFIRMING')
    await after(1)
    expect(supplyOf(await client.operation(plan))).toMatchObject({ failureCode: 'TIMEOUT' })
    await dev.mineAtOnce(true)
    await job.settle()
    expect((await client.operation(plan)).state).toBe('COMPLETED')
  })

  test('dropped bytes can be planned and submitted again, even when they come out the same', async () => {
    const plan = await pending()
    const raw = await client.sign(supplyOf(plan))
    await dev.rpc('anvil_dropTransaction', supplyOf(plan).txHash)
    await after(120_000)
    const again = await client.supply(100n * USDC)
    expect(again.transactions.length).toBe(1)
    // A quiet chain's fees stand still, and so do the bytes.
    const same = await client.sign(supplyOf(plan))
    expect(same).toBe(raw)
    await job.db
      .updateTable('transactions')
      .set({ unsigned_bytes: supplyOf(plan).unsignedBytes })
      .where('id', '=', again.transactions[0]!.transactionId)
      .execute()
    await dev.mineAtOnce(true)
    await client.submit(again, raw)
    await dev.included(keccak256(raw))
    await job.settle()
    expect((await client.operation(again)).state).toBe('COMPLETED')
    expect((await client.operation(plan)).state).toBe('FAILED')
  })
})

describe('submitting', () => {
  test('the same bytes twice get the first answer', async () => {
    const plan = await client.supply(100n * USDC)
    const raw = await client.sign(plan.transactions[0]!)
    const first = await client.submit(plan, raw)
    expect(await client.submit(plan, raw)).toEqual(first)
    await job.settle()
    expect(await client.submit(plan, raw)).toEqual(first)
  })

  test('what is not the plan is refused, and nothing of it is kept or sent', async () => {
    const plan = await client.supply(100n * USDC)
    const [approve] = plan.transactions
    const stranger = await job.client({ usdc: 0n })
    const others = [
      client.sign(approve!, { change: { to: stranger.address } }),
      client.sign(approve!, { change: { value: 1n } }),
      client.sign(approve!, { change: { data: '0x095ea7b3' } }),
      client.sign(approve!, { change: { nonce: 7 } }),
      client.sign(approve!, { change: { chainId: 1 } }),
      stranger.sign(approve!),
    ]
    for (const other of others) {
      await expect(client.submit(plan, await other)).rejects.toEqual(refused('TRANSACTION_MISMATCH'))
    }
    expect(await client.operation(plan)).toEqual(
      plan.transactions[0]!.confirmations === null ? await client.operation(plan) : plan,
    )
    const kept = await job.db
      .selectFrom('transaction_hashes')
      .selectAll()
      .where('transaction_id', '=', approve!.transactionId)
      .execute()
    expect(kept).toEqual([])
  })

  test('transactions go in order', async () => {
    const plan = await client.supply(100n * USDC)
    const raw = await client.sign(plan.transactions[1]!)
    await expect(client.submit(plan, raw)).rejects.toEqual(refused('INVALID_OPERATION_STATUS'))
  })

  test('a pending one is replaced by the same plan with a tenth more in fees, and by nothing less', async () => {
    const plan = await pending()
    const supply = supplyOf(plan)
    const little = await client.sign(supply, { feePercent: 109n })
    await expect(client.submit(plan, little)).rejects.toEqual(refused('OPERATION_ALREADY_SUBMITTED'))
    const { txHash } = await client.submit(plan, await client.sign(supply, { feePercent: 110n }))
    expect(supplyOf(await client.operation(plan)).txHash).toBe(txHash)
    await dev.mineAtOnce(true)
    await job.settle()
    expect(supplyOf(await client.operation(plan))).toMatchObject({ state: 'confirmed', txHash })
  })

  test('what the node refuses for certain leaves the operation as it was', async () => {
    const plan = await client.supply(100n * USDC)
    const before = await client.operation(plan)
    await dev.rpc('anvil_setBalance', client.address, '0x1')
    await expect(client.submit(plan, await client.sign(plan.transactions[0]!))).rejects.toEqual(
      refused('INSUFFICIENT_GAS'),
    )
    expect(await client.operation(plan)).toEqual(before)
    await dev.rpc('anvil_setBalance', client.address, '0x56bc75e2d63100000')
    expect((await client.finish(plan)).state).toBe('COMPLETED')
  })

  test('bytes whose nonce was used meanwhile are stale, and a new plan takes the next nonce', async () => {
    const plan = await client.supply(100n * USDC)
    await dev.included(await client.useNonce())
    const raw = await client.sign(plan.transactions[0]!)
    await expect(client.submit(plan, raw)).rejects.toMatchObject({
      code: 'OPERATION_EXPIRED',
      details: { refresh: `/v1/operations/${plan.operationId}/unsigned-transactions` },
    })
    expect((await client.operation(plan)).state).toBe('EXECUTING')
    await job.settle()
    await expect(client.submit(plan, raw)).rejects.toEqual(refused('OPERATION_EXPIRED'))
    const again = await client.supply(100n * USDC)
    expect(again.transactions[0]!.nonce).toBe(plan.transactions[0]!.nonce! + 1)
    expect((await client.finish(again)).state).toBe('COMPLETED')
  })
})

describe('a crash between storing and sending', () => {
  test('the very same bytes are sent by whoever looks after pending transactions', async () => {
    const plan = await client.supply(100n * USDC)
    const raw = await client.sign(plan.transactions[0]!)
    const lost = submitSigned(partsThatDieBeforeSending(), {
      sight: client.sight,
      operationId: plan.operationId,
      signedTransaction: raw,
    })
    await expect(lost).rejects.toThrow('died')
    expect((await client.operation(plan)).transactions[0]).toMatchObject({ state: 'pending', txHash: keccak256(raw) })
    await after(5_000)
    await dev.included(keccak256(raw))
    await job.settle()
    expect((await client.operation(plan)).transactions[0]!.state).toBe('confirmed')
  })

  test('a replacement that was stored and not sent is sent too, although the node still knows the one before', async () => {
    const plan = await pending()
    const raw = await client.sign(supplyOf(plan), { feePercent: 150n })
    const lost = submitSigned(partsThatDieBeforeSending(), {
      sight: client.sight,
      operationId: plan.operationId,
      signedTransaction: raw,
    })
    await expect(lost).rejects.toThrow('died')
    await after(5_000)
    await dev.mineAtOnce(true)
    await job.settle()
    expect(supplyOf(await client.operation(plan))).toMatchObject({ state: 'confirmed', txHash: keccak256(raw) })
  })

  test('bytes that no node ever acknowledges do not hold the wallet for ever', async () => {
    const plan = await client.supply(100n * USDC)
    const chain = {
      ...job.chain,
      broadcast: () => Promise.resolve({ outcome: 'unknown' as const, reason: 'odd words' }),
    }
    const parts: Parts = { ...job.parts, chains: new Map([[chain.network.blockchain, chain]]) }
    const raw = await client.sign(plan.transactions[0]!)
    await submitSigned(parts, { sight: client.sight, operationId: plan.operationId, signedTransaction: raw })
    for (let turns = 0; turns < 3; turns += 1) {
      job.clock.advance(60_000)
      await checkPending(parts, chain)
    }
    const ended = await client.operation(plan)
    expect(ended.state).toBe('FAILED')
    expect(ended.transactions[0]).toMatchObject({ failureCode: 'DROPPED' })
  })
})

describe('nonces', () => {
  test('an abandoned plan leaves no gap', async () => {
    const first = await client.supply(100n * USDC)
    const second = await client.supply(200n * USDC)
    expect(second.transactions.map(({ nonce }) => nonce)).toEqual(first.transactions.map(({ nonce }) => nonce))
    expect((await client.finish(second)).state).toBe('COMPLETED')
  })

  test('two organizations that hold one address never take a nonce whose signed bytes are pending', async () => {
    const twin = await job.twin(client)
    await job.settle()
    const mine = await client.supply(100n * USDC)
    await dev.mineAtOnce(false)
    const lost = submitSigned(partsThatDieBeforeSending(), {
      sight: client.sight,
      operationId: mine.operationId,
      signedTransaction: await client.sign(mine.transactions[0]!),
    })
    await expect(lost).rejects.toThrow('died')
    const theirs = await twin.supply(50n * USDC)
    expect(theirs.transactions[0]!.nonce).toBe(mine.transactions[0]!.nonce! + 1)
  })

  test('both organizations’ books follow the chain, whoever moved the money', async () => {
    const twin = await job.twin(client)
    await job.settle()
    expect((await client.finish(await client.supply(400n * USDC))).state).toBe('COMPLETED')
    await expectChain(job)
    const theirs = await twin.finish(await twin.unwind('full'))
    expect(theirs.state).toBe('COMPLETED')
    await expectChain(job)
  })

  test('a count below the one seen before is a lagging node’s and not believed', async () => {
    await client.finish(await client.supply(100n * USDC))
    const { latestNonce } = await job.chain.sender(client.address)
    const sender = async (address: string) => ({
      ...(await job.chain.sender(address)),
      latestNonce: 0,
      pendingNonce: 0,
    })
    const chain = { ...job.chain, sender }
    const lagging = { ...job.parts, chains: new Map([[chain.network.blockchain, chain]]) }
    await client.supply(100n * USDC)
    const { planSupply } = await import('./index.ts')
    const plan = await planSupply(lagging, {
      sight: client.sight,
      walletId: client.wallet.walletId,
      strategyId: job.strategy('aave-v3:polygon:USDC').id,
      amount: (50n * USDC).toString(),
      tokenAddress: client.usdcAddress,
    })
    expect(plan.transactions[0]!.nonce).toBe(latestNonce)
  })
})
