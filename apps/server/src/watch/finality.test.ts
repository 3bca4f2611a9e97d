import { encodeFunctionData, erc20Abi, keccak256, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import { expectLedgerMatchesChain, expectValidLedger } from '../../testing/ledger/expect-ledger.ts'
import { anyState } from '../../testing/operations/any-state.ts'
import { useEngine } from '../../testing/operations/use-engine.ts'
import { USDC } from '../../testing/units.ts'
import { cancelOperation, checkPendingTransactions, type Operation } from '../operations/index.ts'

const use = useEngine({ confirmations: 3 })

const supplyOf = ({ transactions }: Operation) => anyState(transactions.at(-1)!)
/** A supply whose approval is final and which is in the head block; nothing else is mined. */
async function includedSupply(): Promise<Operation> {
  const plan = await use.client.supply(400n * USDC)
  await use.client.submit(plan, await use.client.sign(plan.transactions[0]!))
  await use.engine.settle()
  await use.dev.included(await use.client.submitAll(await use.client.operation(plan)))
  await use.engine.followOnce()
  return use.client.operation(plan)
}

describe('included is not confirmed', () => {
  test('an included deposit can be planned with before it is final, and covers the reservation once it is', async () => {
    await use.client.receive(500n * USDC)
    const plan = await use.client.supply(1_500n * USDC)
    expect(await use.balances()).toEqual({ available: 0n, reserved: 1_000n, deployed: 0n })
    await expectValidLedger(use.engine)
    await use.engine.settle()
    expect(await use.balances()).toEqual({ available: 0n, reserved: 1_500n, deployed: 0n })
    const done = await use.client.complete(plan)
    expect(done.state).toBe('COMPLETED')
    expect(await use.balances()).toEqual({ available: 0n, reserved: 0n, deployed: 1_500n })
  })

  test('bytes that replace an included transaction are refused, and leave the operation unchanged', async () => {
    const before = await includedSupply()
    const supply = supplyOf(before)
    for (const feePercent of [120n, 150n]) {
      const raw = await use.client.sign(supply, { feePercent })
      // Again: a hash that was never sent is linked to nothing.
      for (let attempt = 0; attempt < 2; attempt += 1)
        await expect(use.client.submit(before, raw)).rejects.toMatchObject({ code: 'OPERATION_ALREADY_SUBMITTED' })
      expect(await use.client.operation(before)).toEqual(before)
    }
    const linked = use.engine.db.selectFrom('transaction_hashes').select('tx_hash')
    const { transactionId, txHash } = supply
    expect(await linked.where('transaction_id', '=', transactionId).execute()).toEqual([{ tx_hash: txHash }])
    await use.engine.settle()
    const done = await use.client.operation(before)
    expect(done.state).toBe('COMPLETED')
    expect(supplyOf(done).txHash).toBe(txHash)
  })

  test('a deposit and its supply may become final together', async () => {
    const before = await use.client.supply(1_000n * USDC)
    await use.client.submit(before, await use.client.sign(before.transactions[0]!))
    await use.engine.settle()
    await cancelOperation(use.engine.parts, use.client.scope, before.operationId)
    await use.client.receive(500n * USDC)
    const plan = await use.client.supply(1_500n * USDC)
    expect((await use.client.complete(plan)).state).toBe('COMPLETED')
    expect(await use.balances()).toEqual({ available: 0n, reserved: 0n, deployed: 1_500n })
  })

  test('cancelling a plan releases only what the ledger had reserved, even when its money arrived later', async () => {
    await use.client.receive(500n * USDC)
    const plan = await use.client.supply(1_500n * USDC)
    await cancelOperation(use.engine.parts, use.client.scope, plan.operationId)
    expect(await use.balances()).toEqual({ available: 1_000n, reserved: 0n, deployed: 0n })
    await use.engine.settle()
    expect(await use.balances()).toEqual({ available: 1_500n, reserved: 0n, deployed: 0n })
  })
})

describe('a reorganization', () => {
  /** Replaces the head blocks with empty ones; their transactions are in no pool either. */
  const reorganize = (depth: number) => use.dev.rpc('anvil_reorg', depth, [])

  test('is detected although the chain is no longer than before', async () => {
    const plan = await includedSupply()
    await reorganize(1)
    await use.engine.followOnce()
    expect(supplyOf(await use.client.operation(plan))).toMatchObject({ status: 'pending', blockNumber: null })
  })

  test('is detected even after so many new blocks that the replaced ones would be final', async () => {
    const plan = await includedSupply()
    await reorganize(2)
    await use.dev.mine(6)
    await use.engine.followOnce()
    expect(supplyOf(await use.client.operation(plan))).toMatchObject({ status: 'pending', blockNumber: null })
    use.engine.clock.advance(10_000)
    await checkPendingTransactions(use.engine.parts, use.engine.chain)
    await use.dev.included(supplyOf(plan).txHash!)
    await use.engine.settle()
    expect(await use.client.operation(plan)).toMatchObject({ state: 'COMPLETED' })
  })

  test('posts nothing that was reverted', async () => {
    await use.client.receive(500n * USDC)
    await use.engine.followOnce()
    await reorganize(1)
    await use.engine.settle()
    expect((await use.balances()).available).toBe(1_000n)
  })
})

describe('two plans with one nonce', () => {
  test('when the dropped one lands after all, the one that took its nonce is replaced, and the ledger stays consistent', async () => {
    const first = await use.client.supply(400n * USDC)
    await use.client.submit(first, await use.client.sign(first.transactions[0]!))
    await use.engine.settle()
    await use.dev.mineAtOnce(false)
    const raw = await use.client.sign(supplyOf(first))
    await use.client.submit(first, raw)
    await use.dev.rpc('anvil_dropTransaction', keccak256(raw))
    use.engine.clock.advance(120_000)
    await checkPendingTransactions(use.engine.parts, use.engine.chain)
    expect((await use.client.operation(first)).state).toBe('FAILED')

    const second = await use.client.supply(300n * USDC)
    expect(second.transactions[0]!.nonce).toBe(supplyOf(first).nonce)
    const { txHash } = await use.client.submit(second, await use.client.sign(second.transactions[0]!))
    await use.dev.rpc('anvil_dropTransaction', txHash)
    await use.dev.sendRaw(raw)
    await use.dev.mine(1)
    await use.engine.followOnce()
    await use.dev.mine(3)
    await use.engine.followOnce()
    expect(await use.client.operation(first)).toMatchObject({ state: 'COMPLETED', failureReason: 'ONCHAIN' })
    expect((await use.client.operation(second)).transactions[0]).toMatchObject({ failureCode: 'REPLACED' })
    await expectLedgerMatchesChain(use.engine)
  })
})

test('an external position whose withdrawal is under way when it is first found is unwinding at once', async () => {
  const twin = await use.engine.duplicateClient(use.client)
  await use.engine.settle()
  await includedSupply()
  const unwind = await twin.unwind('full')
  await use.dev.mine(2)
  await use.engine.followOnce()
  const status = async () =>
    use.engine.db
      .selectFrom('allocations')
      .select('status')
      .where('wallet_id', '=', twin.wallet.walletId)
      .orderBy('id', 'desc')
      .executeTakeFirst()
  expect(await status()).toEqual({ status: 'UNWINDING' })
  await expectValidLedger(use.engine)
  await cancelOperation(use.engine.parts, twin.scope, unwind.operationId)
  expect(await status()).toEqual({ status: 'ACTIVE' })
})

describe('external movements', () => {
  async function position() {
    return use.engine.db
      .selectFrom('allocations')
      .selectAll()
      .where('wallet_id', '=', use.client.wallet.walletId)
      .where('status', '<>', 'CLOSED')
      .executeTakeFirst()
  }
  const yields = async () => {
    const row = await use.engine.db
      .selectFrom('ledger_balances')
      .select('yield')
      .where('wallet_id', '=', use.client.wallet.walletId)
      .where('token_address', '=', use.client.usdcAddress)
      .executeTakeFirstOrThrow()
    return -row.yield
  }

  test('a deposit that someone else makes for the wallet is principal, not yield', async () => {
    await use.client.complete(await use.client.supply(400n * USDC))
    const [earned, other] = [await yields(), await use.engine.client({ usdc: 5_000n * USDC })]
    const pool = use.engine.strategy('aave-v3:polygon:USDC').params.pool!
    const approve = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'approve',
      args: [pool as `0x${string}`, 5_000n * USDC],
    })
    await use.dev.included(await use.dev.call(other.account, use.client.usdcAddress, approve))
    const supply = encodeFunctionData({
      abi: parseAbi(['function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)']),
      args: [use.client.usdcAddress as `0x${string}`, 5_000n * USDC, use.client.address, 0],
    })
    await use.dev.included(await use.dev.call(other.account, pool, supply))
    await use.engine.settle()
    const after = (await position())!
    expect(after.principal - 5_400n * USDC).toBeLessThanOrEqual(1n)
    expect(after.principal - 5_400n * USDC).toBeGreaterThanOrEqual(-1n)
    expect((await yields()) - earned).toBeLessThan(10n)
  })

  test('transferred shares reduce principal in proportion, and transferring all of them closes the position', async () => {
    await use.client.complete(await use.client.supply(400n * USDC))
    const { aToken } = use.engine.strategy('aave-v3:polygon:USDC').params
    const transferOut = async (part: bigint) => {
      const [held] = await use.engine.chain.balances([{ owner: use.client.address, token: aToken! }])
      const args = [use.dev.deployment.lender, part === 1n ? held! : held! / part] as const
      await use.dev.included(
        await use.dev.call(
          use.client.account,
          aToken!,
          encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args }),
        ),
      )
      await use.engine.settle()
    }
    await transferOut(2n)
    expect((await position())!.principal / USDC).toBeOneOf([199n, 200n])
    await expectLedgerMatchesChain(use.engine)
    const [left] = await use.engine.chain.balances([{ owner: use.client.address, token: aToken! }])
    expect(left).toBeGreaterThan(0n)
    await transferOut(1n)
    const still = await position()
    expect(still === undefined || still.shares <= 1n).toBe(true)
  })

  test('tokens that leave are external until they cut into a reservation, which is a break', async () => {
    const plan = await use.client.supply(900n * USDC)
    await use.dev.included(await use.client.spend(700n * USDC))
    await use.engine.settle()
    expect(await use.balances()).toEqual({ available: 0n, reserved: 900n, deployed: 0n })
    await expectLedgerMatchesChain(use.engine)
    await cancelOperation(use.engine.parts, use.client.scope, plan.operationId)
    await use.engine.followOnce()
    expect(await use.balances()).toEqual({ available: 300n, reserved: 0n, deployed: 0n })
    await expectLedgerMatchesChain(use.engine)
  })
})
