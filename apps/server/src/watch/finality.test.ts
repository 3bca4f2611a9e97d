import { encodeFunctionData, erc20Abi, keccak256, parseAbi } from 'viem'
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
import { cancelOperation, checkPending, type Operation } from '../operations/index.ts'

let dev: TestChain
let job: MainJob
let client: Client
beforeAll(async () => {
  dev = await startTestChain()
  job = await startMainJob(dev, { confirmations: 3 })
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

const supplyOf = ({ transactions }: Operation) => transactions.at(-1)!
async function books() {
  const { available, reserved, deployed } = await job.db
    .selectFrom('ledger_balances')
    .selectAll()
    .where('wallet_id', '=', client.wallet.walletId)
    .where('token_address', '=', client.usdcAddress)
    .executeTakeFirstOrThrow()
  return { available: available / USDC, reserved: reserved / USDC, deployed: deployed / USDC }
}
/** A supply whose approval is final, in the head block; nothing else is mined. */
async function includedSupply(): Promise<Operation> {
  const plan = await client.supply(400n * USDC)
  await client.submit(plan, await client.sign(plan.transactions[0]!))
  await job.settle()
  await dev.included(await client.submitAll(await client.operation(plan)))
  await job.round()
  return client.operation(plan)
}

describe('included is not confirmed', () => {
  test('an included transaction carries its block and counts confirmations, and books nothing until it is final', async () => {
    const plan = await includedSupply()
    expect(plan.state).toBe('CONFIRMING')
    expect(supplyOf(plan)).toMatchObject({ state: 'pending', confirmations: 1 })
    expect(await books()).toEqual({ available: 600n, reserved: 400n, deployed: 0n })
    await dev.mine(1)
    await job.round()
    expect(supplyOf(await client.operation(plan))).toMatchObject({ state: 'pending', confirmations: 2 })
    await dev.mine(1)
    await job.round()
    expect(await client.operation(plan)).toMatchObject({ state: 'COMPLETED' })
    expect(await books()).toEqual({ available: 600n, reserved: 0n, deployed: 400n })
  })

  test('a deposit that is seen but not final can be planned with, and covers the reservation once it is final', async () => {
    await client.receive(500n * USDC)
    const plan = await client.supply(1_500n * USDC)
    expect(await books()).toEqual({ available: 0n, reserved: 1_000n, deployed: 0n })
    await expectBooks(job)
    await job.settle()
    expect(await books()).toEqual({ available: 0n, reserved: 1_500n, deployed: 0n })
    const done = await client.finish(plan)
    expect(done.state).toBe('COMPLETED')
    expect(await books()).toEqual({ available: 0n, reserved: 0n, deployed: 1_500n })
  })

  test('a deposit and the supply of it may become final together', async () => {
    const before = await client.supply(1_000n * USDC)
    await client.submit(before, await client.sign(before.transactions[0]!))
    await job.settle()
    await cancelOperation(job.parts, client.sight, before.operationId)
    await client.receive(500n * USDC)
    const plan = await client.supply(1_500n * USDC)
    expect((await client.finish(plan)).state).toBe('COMPLETED')
    expect(await books()).toEqual({ available: 0n, reserved: 0n, deployed: 1_500n })
  })

  test('a cancelled plan gives back only what the books had held, also when its money came after', async () => {
    await client.receive(500n * USDC)
    const plan = await client.supply(1_500n * USDC)
    await cancelOperation(job.parts, client.sight, plan.operationId)
    expect(await books()).toEqual({ available: 1_000n, reserved: 0n, deployed: 0n })
    await job.settle()
    expect(await books()).toEqual({ available: 1_500n, reserved: 0n, deployed: 0n })
  })
})

describe('a reorganization', () => {
  /** The head blocks are replaced by empty ones; what was in them is in no pool either. */
  const reorganize = (depth: number) => dev.rpc('anvil_reorg', depth, [])

  test('takes back what was included in it, and stored bytes are sent again, the very same', async () => {
    const plan = await includedSupply()
    const { txHash } = supplyOf(plan)
    await reorganize(1)
    await dev.mine(1)
    await job.round()
    expect(supplyOf(await client.operation(plan))).toMatchObject({ state: 'pending', blockNumber: null })
    job.clock.advance(10_000)
    await checkPending(job.parts, job.chain)
    await dev.included(txHash!)
    await job.settle()
    expect(await client.operation(plan)).toMatchObject({ state: 'COMPLETED' })
    expect(supplyOf(await client.operation(plan)).txHash).toBe(txHash)
  })

  test('is noticed although the chain is no longer than before', async () => {
    const plan = await includedSupply()
    await reorganize(1)
    await job.round()
    expect(supplyOf(await client.operation(plan))).toMatchObject({ state: 'pending', blockNumber: null })
  })

  test('is noticed although so many blocks came since that the replaced ones are final', async () => {
    const plan = await includedSupply()
    await reorganize(2)
    await dev.mine(6)
    await job.round()
    expect(supplyOf(await client.operation(plan))).toMatchObject({ state: 'pending', blockNumber: null })
    job.clock.advance(10_000)
    await checkPending(job.parts, job.chain)
    await dev.included(supplyOf(plan).txHash!)
    await job.settle()
    expect(await client.operation(plan)).toMatchObject({ state: 'COMPLETED' })
  })

  test('leaves a transaction that is in the new blocks as well where it is now', async () => {
    const plan = await includedSupply()
    const raw = await client.sign(supplyOf(plan))
    await reorganize(1)
    await dev.sendRaw(raw)
    await dev.included(keccak256(raw))
    await job.settle()
    expect(await client.operation(plan)).toMatchObject({ state: 'COMPLETED' })
    const { blockNumber } = supplyOf(await client.operation(plan))
    expect((await job.chain.block(blockNumber!))!.transactions.map(({ hash }) => hash)).toContain(keccak256(raw))
  })

  test('that removes a transaction for good leaves no gap in the nonces of later plans', async () => {
    const before = await client.supply(100n * USDC)
    await dev.included(await client.useNonce())
    expect((await client.supply(100n * USDC)).transactions[0]!.nonce).toBe(before.transactions[0]!.nonce! + 1)
    await job.round()
    await reorganize(1)
    await job.round()
    const after = await client.supply(100n * USDC)
    expect(after.transactions[0]!.nonce).toBe(before.transactions[0]!.nonce)
    expect((await client.finish(after)).state).toBe('COMPLETED')
  })

  test('brings nothing to the books that has not stayed', async () => {
    await client.receive(500n * USDC)
    await job.round()
    await reorganize(1)
    await job.settle()
    expect((await books()).available).toBe(1_000n)
  })
})

describe('two plans with one nonce', () => {
  test('when the dropped one lands after all, the one that took its nonce is replaced, and books stay whole', async () => {
    const first = await client.supply(400n * USDC)
    await client.submit(first, await client.sign(first.transactions[0]!))
    await job.settle()
    await dev.mineAtOnce(false)
    const raw = await client.sign(supplyOf(first))
    await client.submit(first, raw)
    await dev.rpc('anvil_dropTransaction', keccak256(raw))
    job.clock.advance(120_000)
    await checkPending(job.parts, job.chain)
    expect((await client.operation(first)).state).toBe('FAILED')

    const second = await client.supply(300n * USDC)
    expect(second.transactions[0]!.nonce).toBe(supplyOf(first).nonce)
    const { txHash } = await client.submit(second, await client.sign(second.transactions[0]!))
    await dev.rpc('anvil_dropTransaction', txHash)
    await dev.sendRaw(raw)
    await dev.mine(1)
    await job.round()
    await dev.mine(3)
    await job.round()
    expect(await client.operation(first)).toMatchObject({ state: 'COMPLETED', failureReason: 'ONCHAIN' })
    expect((await client.operation(second)).transactions[0]).toMatchObject({ failureCode: 'REPLACED' })
    await expectChain(job)
  })
})

test('a position that another made and that is being withdrawn when the books first see it is unwinding at once', async () => {
  const twin = await job.twin(client)
  await job.settle()
  await includedSupply()
  const unwind = await twin.unwind('full')
  await dev.mine(2)
  await job.round()
  const status = async () =>
    job.db
      .selectFrom('allocations')
      .select('status')
      .where('wallet_id', '=', twin.wallet.walletId)
      .orderBy('id', 'desc')
      .executeTakeFirst()
  expect(await status()).toEqual({ status: 'UNWINDING' })
  await expectBooks(job)
  await cancelOperation(job.parts, twin.sight, unwind.operationId)
  expect(await status()).toEqual({ status: 'ACTIVE' })
})

describe('what moves outside', () => {
  async function position() {
    return job.db
      .selectFrom('allocations')
      .selectAll()
      .where('wallet_id', '=', client.wallet.walletId)
      .where('status', '<>', 'CLOSED')
      .executeTakeFirst()
  }
  const yields = async () => {
    const row = await job.db
      .selectFrom('ledger_balances')
      .select('yield')
      .where('wallet_id', '=', client.wallet.walletId)
      .where('token_address', '=', client.usdcAddress)
      .executeTakeFirstOrThrow()
    return -row.yield
  }

  test('a deposit that somebody else makes for the wallet is principal and not yield', async () => {
    await client.finish(await client.supply(400n * USDC))
    const [earned, other] = [await yields(), await job.client({ usdc: 5_000n * USDC })]
    const pool = job.strategy('aave-v3:polygon:USDC').params.pool!
    const approve = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'approve',
      args: [pool as `0x${string}`, 5_000n * USDC],
    })
    await dev.included(await dev.call(other.account, client.usdcAddress, approve))
    const supply = encodeFunctionData({
      abi: parseAbi(['function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)']),
      args: [client.usdcAddress as `0x${string}`, 5_000n * USDC, client.address, 0],
    })
    await dev.included(await dev.call(other.account, pool, supply))
    await job.settle()
    const after = (await position())!
    expect(after.principal - 5_400n * USDC).toBeLessThanOrEqual(1n)
    expect(after.principal - 5_400n * USDC).toBeGreaterThanOrEqual(-1n)
    expect((await yields()) - earned).toBeLessThan(10n)
  })

  test('shares that are given away take principal with them in proportion, and all of them close the position', async () => {
    await client.finish(await client.supply(400n * USDC))
    const { aToken } = job.strategy('aave-v3:polygon:USDC').params
    const give = async (part: bigint) => {
      const [held] = await job.chain.balances([{ owner: client.address, token: aToken! }])
      const args = [dev.deployment.lender, part === 1n ? held! : held! / part] as const
      await dev.included(
        await dev.call(client.account, aToken!, encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })),
      )
      await job.settle()
    }
    await give(2n)
    expect((await position())!.principal / USDC).toBeOneOf([199n, 200n])
    await expectChain(job)
    const [left] = await job.chain.balances([{ owner: client.address, token: aToken! }])
    expect(left).toBeGreaterThan(0n)
    await give(1n)
    const still = await position()
    expect(still === undefined || still.shares <= 1n).toBe(true)
  })

  test('tokens that leave are external, down to the last that a reservation holds, which is a break', async () => {
    const plan = await client.supply(900n * USDC)
    await dev.included(await client.spend(700n * USDC))
    await job.settle()
    expect(await books()).toEqual({ available: 0n, reserved: 900n, deployed: 0n })
    await expectChain(job)
    await cancelOperation(job.parts, client.sight, plan.operationId)
    await job.round()
    expect(await books()).toEqual({ available: 300n, reserved: 0n, deployed: 0n })
    await expectChain(job)
  })
})
