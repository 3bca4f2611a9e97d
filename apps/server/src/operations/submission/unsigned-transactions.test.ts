import { keccak256, numberToHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { anyState } from '../../../testing/operations/any-state.ts'
import { useEngine } from '../../../testing/operations/use-engine.ts'
import { USDC } from '../../../testing/units.ts'
import { decodeUnsigned } from '../../chains/evm/transactions/decode-unsigned.ts'
import {
  cancelOperation,
  issueUnsignedTransactions,
  type Operation,
  type OperationTransaction,
  submitHash,
  submitSigned,
} from '../index.ts'

const use = useEngine()
const refused = (code: string) => expect.objectContaining({ code })
const issue = ({ operationId }: Operation, options = {}) =>
  issueUnsignedTransactions(use.engine.parts, use.client.scope, operationId, options)
const noncesOf = (transactions: readonly OperationTransaction[]) => transactions.map(({ nonce }) => nonce)
const firstNonce = (operation: Operation) => operation.transactions[0]!.nonce!
/** The effect of a transaction, without its nonce and fees. */
const effects = (transactions: readonly OperationTransaction[]) =>
  transactions.map(({ transactionId, kind, sender, call }) => ({ transactionId, kind, sender, call }))

/** The client's wallet sends an unplanned transaction, and the follower settles it. */
async function displace(): Promise<void> {
  await use.dev.included(await use.client.useNonce())
  await use.engine.settle()
}
/** Signs, submits and settles issued transactions until none are left. */
async function finish(operation: Operation): Promise<Operation> {
  for (;;) {
    const current = await use.client.operation(operation)
    if (current.state !== 'EXECUTING') return current
    for (const transaction of await issue(operation)) {
      const { txHash } = await use.client.submit(operation, await use.client.sign(transaction))
      await use.dev.included(txHash)
    }
    await use.engine.settle()
  }
}
/** A plan whose approval is final and whose supply is unsubmitted. */
async function approved(): Promise<Operation> {
  const plan = await use.client.supply(100n * USDC)
  await use.client.submit(plan, await use.client.sign(plan.transactions[0]!))
  await use.engine.settle()
  return use.client.operation(plan)
}

describe('bytes that can still land', () => {
  test('are issued unchanged, however often they are requested', async () => {
    const plan = await use.client.supply(100n * USDC)
    expect(await issue(plan)).toEqual(plan.transactions)
    await use.dev.mine(3)
    expect(await issue(plan)).toEqual(plan.transactions)
  })

  test('are issued unchanged even if the caller promises to discard them: only a used nonce is proof', async () => {
    const plan = await use.client.supply(100n * USDC)
    expect(await issue(plan, { discard: true })).toEqual(plan.transactions)
    await use.dev.included(await use.client.useNonce())
    await expect(issue(plan, { discard: true })).rejects.toEqual(refused('CHAIN_UNAVAILABLE'))
    expect((await use.client.operation(plan)).transactions).toEqual(plan.transactions)
  })

  test('are issued only if they were never submitted', async () => {
    const plan = await use.client.supply(100n * USDC)
    await use.dev.mineAtOnce(false)
    await use.client.submit(plan, await use.client.sign(plan.transactions[0]!))
    expect(await issue(plan)).toEqual([plan.transactions[1]])
    await use.client.submit(plan, await use.client.sign(plan.transactions[1]!))
    expect(await issue(plan)).toEqual([])
  })

  test('keep their nonce and get new fees if the base fee exceeds their cap', async () => {
    const plan = await use.client.supply(100n * USDC)
    const caps = plan.transactions.map(anyState).map(({ unsignedBytes }) => decodeUnsigned(unsignedBytes).maxFeePerGas)
    const baseFee = caps[0]! + 1n
    await raiseBaseFee(baseFee)
    const repriced = await issue(plan)
    expect(noncesOf(repriced)).toEqual(noncesOf(plan.transactions))
    expect(effects(repriced)).toEqual(effects(plan.transactions))
    for (const { unsignedBytes } of repriced)
      expect(decodeUnsigned(unsignedBytes).maxFeePerGas).toBeGreaterThan(baseFee)
    expect(await issue(plan)).toEqual(repriced)
    expect((await use.client.operation(plan)).transactions).toEqual(repriced)
    expect(await finish(plan)).toMatchObject({ state: 'COMPLETED', settledAmount: 100n * USDC })
  })
})

/** The base fee falls by an eighth per block. */
async function raiseBaseFee(to: bigint): Promise<void> {
  await use.dev.rpc('anvil_setNextBlockBaseFeePerGas', numberToHex(to))
  await use.dev.mine(1)
}

describe('bytes whose nonce another transaction used', () => {
  test('are not rebuilt until that is settled', async () => {
    const plan = await use.client.supply(100n * USDC)
    await use.dev.included(await use.client.useNonce())
    await expect(issue(plan)).rejects.toEqual(refused('CHAIN_UNAVAILABLE'))
    expect((await use.client.operation(plan)).transactions).toEqual(plan.transactions)
  })

  test('get the next nonce; a later transaction is issued only once its own bytes can no longer land before them', async () => {
    const plan = await use.client.supply(100n * USDC)
    await displace()
    const first = await issue(plan)
    expect(noncesOf(first)).toEqual([firstNonce(plan) + 1])
    expect(effects(first)).toEqual(effects(plan.transactions.slice(0, 1)))

    await use.dev.mineAtOnce(false)
    const { txHash } = await use.client.submit(plan, await use.client.sign(first[0]!))
    expect(await issue(plan)).toEqual([])
    await use.dev.mineAtOnce(true)
    await use.engine.settle()
    await use.dev.included(txHash)
    const second = await issue(plan)
    expect(noncesOf(second)).toEqual([firstNonce(plan) + 2])
    expect(effects(second)).toEqual(effects(plan.transactions.slice(1)))
    expect(await finish(plan)).toMatchObject({ state: 'COMPLETED', settledAmount: 100n * USDC })
  })

  test('get consecutive nonces if all of them are dead', async () => {
    const plan = await use.client.supply(100n * USDC)
    await displace()
    await displace()
    const rebuilt = await issue(plan)
    expect(noncesOf(rebuilt)).toEqual([firstNonce(plan) + 2, firstNonce(plan) + 3])
    expect(effects(rebuilt)).toEqual(effects(plan.transactions))
    expect(await finish(plan)).toMatchObject({ state: 'COMPLETED' })
  })

  test('can be issued while an approval of the operation is confirmed', async () => {
    const plan = await approved()
    await displace()
    const rebuilt = await issue(plan)
    expect(noncesOf(rebuilt)).toEqual([plan.transactions[1]!.nonce! + 1])
    expect(await finish(plan)).toMatchObject({ state: 'COMPLETED' })
  })

  test('are refused from then on, and the new ones are tracked', async () => {
    const plan = await approved()
    const old = await use.client.sign(plan.transactions[1]!)
    await displace()
    const [rebuilt] = await issue(plan)
    await expect(use.client.submit(plan, old)).rejects.toEqual(refused('TRANSACTION_MISMATCH'))
    await use.dev.included(await use.client.send(rebuilt!))
    await use.engine.settle()
    expect((await use.client.operation(plan)).state).toBe('COMPLETED')
  })

  test('are rebuilt once for concurrent requests, which get the same bytes', async () => {
    const plan = await use.client.supply(100n * USDC)
    await displace()
    await displace()
    const results = await Promise.all([1, 2, 3, 4].map(() => issue(plan)))
    for (const result of results) expect(result).toEqual(results[0])
    expect((await use.client.operation(plan)).transactions).toEqual(results[0])
  })

  test('never take a nonce for which another organization has signed bytes of the same address', async () => {
    const plan = await approved()
    await displace()
    const stranger = await use.engine.duplicateClient(use.client)
    await use.engine.settle()
    const theirs = await stranger.supply(50n * USDC)
    await use.dev.mineAtOnce(false)
    for (const transaction of theirs.transactions) await stranger.submit(theirs, await stranger.sign(transaction))
    const [rebuilt] = await issue(plan)
    expect(rebuilt!.nonce).toBe(theirs.transactions.at(-1)!.nonce! + 1)
  })

  test('are simulated again, and a failed simulation changes nothing', async () => {
    const plan = await approved()
    await use.dev.included(await use.client.spend(1_000n * USDC))
    await use.engine.settle()
    await expect(issue(plan)).rejects.toEqual(refused('SIMULATION_FAILED'))
    await use.dev.rpc('anvil_setBalance', use.client.address, '0x1')
    await expect(issue(plan)).rejects.toEqual(refused('INSUFFICIENT_GAS'))
    const after = await use.client.operation(plan)
    expect(after).toMatchObject({ state: 'EXECUTING', transactions: [{}, { nonce: plan.transactions[1]!.nonce }] })
    await cancelOperation(use.engine.parts, use.client.scope, plan.operationId)
  })
})

describe('a submission of bytes whose nonce was used', () => {
  test('is refused once that is settled, and new bytes are available', async () => {
    const plan = await use.client.supply(100n * USDC)
    const old = await use.client.sign(plan.transactions[0]!)
    await displace()
    await expect(use.client.submit(plan, old)).rejects.toMatchObject({
      code: 'OPERATION_EXPIRED',
      details: { refresh: expect.any(String) },
    })
    await expect(
      submitHash(use.engine.parts, { scope: use.client.scope, operationId: plan.operationId, txHash: keccak256(old) }),
    ).rejects.toEqual(refused('OPERATION_EXPIRED'))
    expect(await finish(plan)).toMatchObject({ state: 'COMPLETED' })
  })

  test.each([
    ['while it is being sent', async () => {}, () => use.engine.settle()],
    ['before it is sent, and not settled', () => use.dev.mine(1), async () => {}],
  ])('is undone if that happened %s', async (_, before, during) => {
    const plan = await use.client.supply(100n * USDC)
    const signedTransaction = await use.client.sign(plan.transactions[0]!)
    await use.dev.included(await use.client.useNonce())
    await before()
    const chain = {
      ...use.engine.chain,
      async broadcast(raw: string) {
        await during()
        return use.engine.chain.broadcast(raw)
      },
    }
    const parts = { ...use.engine.parts, chains: new Map([[chain.network.blockchain, chain]]) }
    const { operationId } = plan
    await expect(
      submitSigned(parts, { scope: use.client.scope, operationId, signedTransaction }),
    ).rejects.toMatchObject({ code: 'OPERATION_EXPIRED', details: { refresh: expect.any(String) } })
    expect(await use.client.operation(plan)).toMatchObject({
      state: 'EXECUTING',
      transactions: [{ status: 'unsigned' }, {}],
    })
    await use.engine.settle()
    expect(await finish(plan)).toMatchObject({ state: 'COMPLETED' })
  })
})

describe('nothing is issued', () => {
  test('for an operation that has ended', async () => {
    const cancelled = await use.client.supply(100n * USDC)
    await cancelOperation(use.engine.parts, use.client.scope, cancelled.operationId)
    await expect(issue(cancelled)).rejects.toEqual(refused('INVALID_OPERATION_STATUS'))
    const done = await use.client.complete(await use.client.supply(100n * USDC))
    await expect(issue(done)).rejects.toEqual(refused('INVALID_OPERATION_STATUS'))
    const late = await use.client.supply(100n * USDC)
    use.engine.clock.advance(500_000)
    await expect(issue(late)).rejects.toEqual(refused('OPERATION_EXPIRED'))
  })

  test('once everything was submitted, before and after the time at which it would have expired', async () => {
    const plan = await approved()
    await use.dev.mineAtOnce(false)
    await use.client.submit(plan, await use.client.sign(plan.transactions[1]!))
    expect(await issue(plan)).toEqual([])
    use.engine.clock.advance(500_000)
    expect(await issue(plan)).toEqual([])
    expect((await use.client.operation(plan)).state).toBe('CONFIRMING')
  })

  test('after expiry, although the operation still waits for its approval', async () => {
    const plan = await use.client.supply(100n * USDC)
    await use.dev.mineAtOnce(false)
    await use.client.submit(plan, await use.client.sign(plan.transactions[0]!))
    use.engine.clock.advance(500_000)
    await expect(issue(plan)).rejects.toEqual(refused('OPERATION_EXPIRED'))
  })

  test('for an operation that the custody agent executes, or that is outside the caller’s scope', async () => {
    const plan = await use.client.supply(100n * USDC)
    const { operationId } = plan
    const act = (executor: 'agent' | 'client') =>
      use.engine.db.updateTable('operations').set({ executor }).where('id', '=', operationId).execute()
    await act('agent')
    await expect(issue(plan)).rejects.toEqual(refused('INVALID_OPERATION_STATUS'))
    await act('client')
    const stranger = await use.engine.client({ usdc: 0n })
    await expect(issueUnsignedTransactions(use.engine.parts, stranger.scope, operationId)).rejects.toEqual(
      refused('OPERATION_NOT_FOUND'),
    )
  })
})
