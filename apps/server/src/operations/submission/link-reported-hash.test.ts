import { keccak256 } from 'viem'
import { describe, expect, test } from 'vitest'
import { expectLedgerMatchesChain, expectValidLedger } from '../../../testing/ledger/expect-ledger.ts'
import { anyState } from '../../../testing/operations/any-state.ts'
import { supplyOf } from '../../../testing/operations/pending-supply.ts'
import { expectRefused, idOf, unknownHash, useReportedHashes } from '../../../testing/operations/use-reported-hashes.ts'
import { USDC } from '../../../testing/units.ts'
import { checkPendingTransactions, type Operation, recoverTransaction, submitHash } from '../index.ts'

const { use, submitHash: submit, recover: recovered, cancel, approvedPlan, settleUnmatched } = useReportedHashes()
const both = [
  ['submit-hash', submit],
  ['recover', recovered],
] as const

describe.each(both)('%s', (_, report) => {
  test('a hash in the pool makes its transaction pending, and the operation completes once it is final', async () => {
    const plan = await use.client.supply(100n * USDC)
    await use.dev.mineAtOnce(false)
    for (const [position, transaction] of plan.transactions.entries()) {
      const hash = await use.client.send(transaction)
      expect(await report(plan, hash)).toEqual({
        operationId: plan.operationId,
        transactionId: idOf(plan, position),
        txHash: hash,
      })
    }
    const sent = await use.client.operation(plan)
    expect(sent.state).toBe('CONFIRMING')
    expect(sent.transactions.map(({ status }) => status)).toEqual(['pending', 'pending'])
    await use.dev.mineAtOnce(true)
    await use.engine.settle()
    expect(await use.client.operation(plan)).toMatchObject({ state: 'COMPLETED', settledAmount: 100n * USDC })
  })

  test('accepts a hash that no node knows yet, and completes the operation once it appears', async () => {
    const plan = await approvedPlan()
    const raw = await use.client.sign(supplyOf(plan))
    expect(await report(plan, keccak256(raw))).toMatchObject({ transactionId: supplyOf(plan).transactionId })
    expect((await use.client.operation(plan)).state).toBe('CONFIRMING')
    await use.dev.included(await use.dev.sendRaw(raw))
    await use.engine.settle()
    expect((await use.client.operation(plan)).state).toBe('COMPLETED')
  })

  test('a transaction whose hash never appears is DROPPED after two minutes', async () => {
    const plan = await approvedPlan()
    await report(plan, unknownHash())
    use.engine.clock.advance(121_000)
    await checkPendingTransactions(use.engine.parts, use.engine.chain)
    const dropped = await use.client.operation(plan)
    expect(dropped).toMatchObject({ state: 'FAILED', failureReason: 'ONCHAIN' })
    expect(supplyOf(dropped)).toMatchObject({ failureCode: 'DROPPED' })
  })

  test('a hash of another transaction fails the planned one and flags the operation; its own bytes may still land', async () => {
    const plan = await approvedPlan()
    const other = await use.engine.client({ usdc: 1n })
    const nonce = Number(await use.dev.rpc('eth_getTransactionCount', other.address, 'pending'))
    const raw = await other.account.signTransaction({
      type: 'eip1559',
      chainId: use.dev.chainId,
      nonce,
      gas: 21_000n,
      maxFeePerGas: 10n ** 12n,
      maxPriorityFeePerGas: 10n ** 9n,
      to: other.address,
    })
    await report(plan, keccak256(raw))
    await use.dev.included(await use.dev.sendRaw(raw))
    await use.engine.settle()
    const failed = await use.client.operation(plan)
    expect(failed).toMatchObject({ state: 'FAILED', flagReason: expect.stringContaining(keccak256(raw)) })
    expect(supplyOf(failed).error).toContain('TRANSACTION_MISMATCH')

    await use.dev.included(await use.client.send(supplyOf(plan)))
    await use.engine.settle()
    expect(await use.client.operation(plan)).toMatchObject({ state: 'COMPLETED', settledAmount: 100n * USDC })
  })

  test('a wrong hash in the same block does not hide the real transaction', async () => {
    const plan = await approvedPlan()
    await use.dev.mineAtOnce(false)
    const other = await use.engine.client({ usdc: 0n })
    const misleading = await other.useNonce()
    await use.dev.rpc('anvil_dropTransaction', misleading)
    await report(plan, misleading)
    await other.useNonce()
    await use.client.send(supplyOf(plan))
    await use.dev.mineAtOnce(true)
    await use.engine.settle()
    expect((await use.client.operation(plan)).state).toBe('COMPLETED')
  })

  test('the right hash after a wrong unknown one is refused, and its transaction completes the operation', async () => {
    const plan = await approvedPlan()
    await report(plan, unknownHash())
    await use.dev.mineAtOnce(false)
    const hash = await use.client.send(supplyOf(plan))
    const code = report === submit ? 'OPERATION_ALREADY_SUBMITTED' : 'INVALID_OPERATION_STATUS'
    await expect(report(plan, hash)).rejects.toEqual(expectRefused(code))
    await use.dev.mineAtOnce(true)
    await use.engine.settle()
    const done = await use.client.operation(plan)
    expect(done.state).toBe('COMPLETED')
    expect(supplyOf(done)).toMatchObject({ status: 'confirmed', txHash: hash })
  })

  test('reporting the same hash again returns the first result, in any state', async () => {
    const plan = await use.client.supply(100n * USDC)
    const hash = await use.client.send(plan.transactions[0]!)
    const first = await report(plan, hash)
    for (const again of [submit, recovered]) {
      expect(await again(plan, hash)).toEqual(first)
      expect(await again(plan, hash.toUpperCase().replace('0X', '0x'), idOf(plan, 0))).toEqual(first)
    }
    await use.engine.settle()
    expect(await report(plan, hash)).toEqual(first)
    await cancel(plan)
    expect(await report(plan, hash)).toEqual(first)
  })

  test('a hash that the follower already linked returns the same result as a reported one', async () => {
    const plan = await use.client.supply(100n * USDC)
    for (const transaction of plan.transactions) await use.dev.included(await use.client.send(transaction))
    await use.engine.settle()
    const done = await use.client.operation(plan)
    expect(done.state).toBe('COMPLETED')
    for (const { transactionId, txHash } of done.transactions.map(anyState)) {
      expect(await report(plan, txHash!)).toEqual({ operationId: plan.operationId, transactionId, txHash })
    }
  })

  test('a transaction that landed before the report and before the follower saw it is linked and completes', async () => {
    const plan = await approvedPlan()
    const hash = await use.dev.included(await use.client.send(supplyOf(plan)))
    await report(plan, hash)
    await use.engine.settle()
    expect((await use.client.operation(plan)).state).toBe('COMPLETED')
  })

  test('a transaction in a block that the follower skipped is settled from that block, once', async () => {
    const plan = await approvedPlan(600n * USDC)
    const hash = await use.dev.included(await use.client.send(supplyOf(plan)))
    await settleUnmatched(plan)
    expect((await use.client.operation(plan)).state).toBe('EXECUTING')
    const [first, second] = await Promise.all([report(plan, hash), report(plan, hash)])
    expect(second).toEqual(first)
    expect(await use.client.operation(plan)).toMatchObject({ state: 'COMPLETED', settledAmount: 600n * USDC })
    await use.engine.settle()
    await expectValidLedger(use.engine)
    await expectLedgerMatchesChain(use.engine)
    const { principal } = await use.engine.db
      .selectFrom('allocations')
      .select('principal')
      .where('wallet_id', '=', use.client.wallet.walletId)
      .executeTakeFirstOrThrow()
    expect(principal / USDC).toBe(600n)
  })

  test('a hash linked to another transaction is OPERATION_ALREADY_SUBMITTED, within the operation or outside it', async () => {
    const first = await approvedPlan()
    const hash = anyState(first.transactions[0]!).txHash!
    await expect(report(first, hash, idOf(first, 1))).rejects.toEqual(expectRefused('OPERATION_ALREADY_SUBMITTED'))
    const second = await use.client.supply(200n * USDC)
    await expect(report(second, hash)).rejects.toEqual(expectRefused('OPERATION_ALREADY_SUBMITTED'))
    await expect(report(second, hash, 999_999)).rejects.toEqual(expectRefused('OPERATION_ALREADY_SUBMITTED'))
  })

  test('each organization links a hash for itself: another one with the same address cannot take it', async () => {
    const plan = await use.client.supply(100n * USDC)
    const stranger = await use.engine.duplicateClient(use.client)
    await use.engine.settle()
    const theirs = await stranger.supply(100n * USDC)
    const hash = await use.client.send(plan.transactions[0]!)
    const { operationId } = theirs
    const input = { scope: stranger.scope, operationId, txHash: hash }
    expect(await submitHash(use.engine.parts, input)).toMatchObject({ operationId, txHash: hash })
    expect(await report(plan, hash)).toMatchObject({ operationId: plan.operationId, txHash: hash })
    await expect(recoverTransaction(use.engine.parts, { ...input, operationId: plan.operationId })).rejects.toEqual(
      expectRefused('OPERATION_NOT_FOUND'),
    )
  })

  test('refuses an invalid hash, an unknown operation, and a transaction of another operation', async () => {
    const plan = await use.client.supply(100n * USDC)
    for (const text of ['', '0x', '0x12', 'nonsense', `${unknownHash()}00`]) {
      await expect(report(plan, text)).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        details: { issues: [{ path: 'txHash' }] },
      })
    }
    await expect(report({ operationId: 999_999 }, 'nonsense')).rejects.toEqual(expectRefused('OPERATION_NOT_FOUND'))
    await expect(report(plan, unknownHash(), 999_999)).rejects.toEqual(expectRefused('TRANSACTION_NOT_FOUND'))
  })

  test('on an operation that the custody agent executes is INVALID_OPERATION_STATUS', async () => {
    const plan = await use.client.supply(100n * USDC)
    await actAs(plan, 'agent')
    await expect(report(plan, unknownHash())).rejects.toEqual(expectRefused('INVALID_OPERATION_STATUS'))
    await actAs(plan, 'client')
  })

  test('on an operation that the custody agent executes, recover returns a hash that is linked already', async () => {
    const plan = await approvedPlan()
    const { transactionId, txHash } = anyState(plan.transactions[0]!)
    await actAs(plan, 'agent')
    const found = report(plan, txHash!)
    if (report === submit) await expect(found).rejects.toEqual(expectRefused('INVALID_OPERATION_STATUS'))
    else expect(await found).toEqual({ operationId: plan.operationId, transactionId, txHash })
    await actAs(plan, 'client')
  })

  test('changes nothing while the chain is unavailable', async () => {
    const plan = await use.client.supply(100n * USDC)
    const unavailable = { ...use.engine.chain, findTransactions: () => Promise.reject(new Error('unavailable')) }
    const parts = { ...use.engine.parts, chains: new Map([[use.engine.chain.network.blockchain, unavailable]]) }
    const reportHash = report === submit ? submitHash : recoverTransaction
    const input = { scope: use.client.scope, operationId: plan.operationId, txHash: unknownHash() }
    await expect(reportHash(parts, input)).rejects.toThrow('unavailable')
    expect((await use.client.operation(plan)).transactions.map(({ status }) => status)).toEqual([
      'unsigned',
      'unsigned',
    ])
  })

  test('a hash of bytes that an ended plan shares belongs to the unfinished plan', async () => {
    const first = await approvedPlan()
    const second = await use.client.supply(100n * USDC)
    const twin = supplyOf(second)
    expect(twin).toMatchObject({ nonce: supplyOf(first).nonce, call: supplyOf(first).call })
    await use.dev.mineAtOnce(false)
    const hash = await use.client.send(twin)
    await expect(report(first, hash)).rejects.toEqual(expectRefused('OPERATION_ALREADY_SUBMITTED'))
    expect(await report(second, hash)).toMatchObject({ transactionId: twin.transactionId })
    await use.dev.mineAtOnce(true)
    await use.engine.settle()
    expect((await use.client.operation(second)).state).toBe('COMPLETED')
    expect((await use.client.operation(first)).state).toBe('ABORTED')
  })
})

test('a node that reports a past block late does not leave its transaction pending', async () => {
  const plan = await approvedPlan(600n * USDC)
  const hash = await use.dev.included(await use.client.send(supplyOf(plan)))
  const late = { ...use.engine.chain, findTransactions: async () => [undefined] }
  const parts = { ...use.engine.parts, chains: new Map([[use.engine.chain.network.blockchain, late]]) }
  await settleUnmatched(plan)
  await submitHash(parts, { scope: use.client.scope, operationId: plan.operationId, txHash: hash })
  expect((await use.client.operation(plan)).state).toBe('CONFIRMING')
  use.engine.clock.advance(10_000)
  await checkPendingTransactions(use.engine.parts, use.engine.chain)
  expect((await use.client.operation(plan)).state).toBe('COMPLETED')
})

async function actAs({ operationId }: Operation, executor: 'client' | 'agent'): Promise<void> {
  await use.engine.db.updateTable('operations').set({ executor }).where('id', '=', operationId).execute()
}
