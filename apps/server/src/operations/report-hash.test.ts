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
import { cancelOperation, checkPending, type Operation, recover, type Submitted, submitHash } from './index.ts'

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
    await job.settle()
    await expectBooks(job)
    await expectChain(job)
  }
})

type Report = (operation: { operationId: number }, txHash: string, transactionId?: number) => Promise<Submitted>
const submit: Report = ({ operationId }, txHash, transactionId) =>
  submitHash(job.parts, { sight: client.sight, operationId, txHash, transactionId })
const recovered: Report = ({ operationId }, txHash, transactionId) =>
  recover(job.parts, { sight: client.sight, operationId, txHash, transactionId })
const both = [
  ['submit-hash', submit],
  ['recover', recovered],
] as const

const refused = (code: string) => expect.objectContaining({ code })
const cancel = ({ operationId }: Operation) => cancelOperation(job.parts, client.sight, operationId)
const idOf = (operation: Operation, position: number) => operation.transactions[position]!.transactionId
let drawn = 0
/** A hash that no chain knows. */
function unknownHash(): string {
  drawn += 1
  return `0x${drawn.toString(16).padStart(64, 'a')}`
}
/** A plan whose approval is final, and whose supply waits. */
async function approved(amount = 100n * USDC): Promise<Operation> {
  const plan = await client.supply(amount)
  await client.submit(plan, await client.sign(plan.transactions[0]!))
  await job.settle()
  return client.operation(plan)
}
const supplyOf = ({ transactions }: Operation) => transactions.at(-1)!

describe.each(both)('%s', (_, report) => {
  test('of a transaction that waits in the pool makes it pending, and the operation completes when it is final', async () => {
    const plan = await client.supply(100n * USDC)
    await dev.mineAtOnce(false)
    for (const [position, transaction] of plan.transactions.entries()) {
      const hash = await client.send(transaction)
      expect(await report(plan, hash)).toEqual({
        operationId: plan.operationId,
        transactionId: idOf(plan, position),
        txHash: hash,
      })
    }
    const sent = await client.operation(plan)
    expect(sent.state).toBe('CONFIRMING')
    expect(sent.transactions.map(({ state }) => state)).toEqual(['pending', 'pending'])
    await dev.mineAtOnce(true)
    await job.settle()
    expect(await client.operation(plan)).toMatchObject({ state: 'COMPLETED', settledAmount: 100n * USDC })
  })

  test('of a hash that nobody knows yet is accepted, and completes once it appears', async () => {
    const plan = await approved()
    const raw = await client.sign(supplyOf(plan))
    expect(await report(plan, keccak256(raw))).toMatchObject({ transactionId: supplyOf(plan).transactionId })
    expect((await client.operation(plan)).state).toBe('CONFIRMING')
    await dev.included(await dev.sendRaw(raw))
    await job.settle()
    expect((await client.operation(plan)).state).toBe('COMPLETED')
  })

  test('a hash that never appears is dropped after two minutes', async () => {
    const plan = await approved()
    await report(plan, unknownHash())
    job.clock.advance(121_000)
    await checkPending(job.parts, job.chain)
    const dropped = await client.operation(plan)
    expect(dropped).toMatchObject({ state: 'FAILED', failureReason: 'ONCHAIN' })
    expect(supplyOf(dropped)).toMatchObject({ failureCode: 'DROPPED' })
  })

  test('a hash that turns out to be another transaction fails it and flags the operation; its own bytes may still land', async () => {
    const plan = await approved()
    const other = await job.client({ usdc: 1n })
    const nonce = Number(await dev.rpc('eth_getTransactionCount', other.address, 'pending'))
    const raw = await other.account.signTransaction({
      type: 'eip1559',
      chainId: dev.chainId,
      nonce,
      gas: 21_000n,
      maxFeePerGas: 10n ** 12n,
      maxPriorityFeePerGas: 10n ** 9n,
      to: other.address,
    })
    await report(plan, keccak256(raw))
    await dev.included(await dev.sendRaw(raw))
    await job.settle()
    const failed = await client.operation(plan)
    expect(failed).toMatchObject({ state: 'FAILED', flagged: expect.stringContaining(keccak256(raw)) })
    expect(supplyOf(failed).error).toContain('TRANSACTION_MISMATCH')

    await dev.included(await client.send(supplyOf(plan)))
    await job.settle()
    expect(await client.operation(plan)).toMatchObject({ state: 'COMPLETED', settledAmount: 100n * USDC })
  })

  test('a misleading hash in the very block of the real transaction does not hide it', async () => {
    const plan = await approved()
    await dev.mineAtOnce(false)
    const other = await job.client({ usdc: 0n })
    const misleading = await other.useNonce()
    await dev.rpc('anvil_dropTransaction', misleading)
    await report(plan, misleading)
    await other.useNonce()
    await client.send(supplyOf(plan))
    await dev.mineAtOnce(true)
    await job.settle()
    expect((await client.operation(plan)).state).toBe('COMPLETED')
  })

  test('the same hash again gets the first answer again, in any state', async () => {
    const plan = await client.supply(100n * USDC)
    const hash = await client.send(plan.transactions[0]!)
    const first = await report(plan, hash)
    for (const again of [submit, recovered]) {
      expect(await again(plan, hash)).toEqual(first)
      expect(await again(plan, hash.toUpperCase().replace('0X', '0x'), idOf(plan, 0))).toEqual(first)
    }
    await job.settle()
    expect(await report(plan, hash)).toEqual(first)
    await cancel(plan)
    expect(await report(plan, hash)).toEqual(first)
  })

  test('a hash that the watcher linked already is answered as if it had been reported', async () => {
    const plan = await client.supply(100n * USDC)
    for (const transaction of plan.transactions) await dev.included(await client.send(transaction))
    await job.settle()
    const done = await client.operation(plan)
    expect(done.state).toBe('COMPLETED')
    for (const { transactionId, txHash } of done.transactions) {
      expect(await report(plan, txHash!)).toEqual({ operationId: plan.operationId, transactionId, txHash })
    }
  })

  test('what landed before the report, and before the follower came by, is linked and completes', async () => {
    const plan = await approved()
    const hash = await dev.included(await client.send(supplyOf(plan)))
    await report(plan, hash)
    await job.settle()
    expect((await client.operation(plan)).state).toBe('COMPLETED')
  })

  test('what landed in a block that the follower never saw is settled from that block, once', async () => {
    const plan = await approved(600n * USDC)
    const hash = await dev.included(await client.send(supplyOf(plan)))
    await followFromTheHead()
    expect((await client.operation(plan)).state).toBe('EXECUTING')
    const [first, second] = await Promise.all([report(plan, hash), report(plan, hash)])
    expect(second).toEqual(first)
    expect(await client.operation(plan)).toMatchObject({ state: 'COMPLETED', settledAmount: 600n * USDC })
    await job.settle()
    await expectBooks(job)
    await expectChain(job)
    const { principal } = await job.db
      .selectFrom('allocations')
      .select('principal')
      .where('wallet_id', '=', client.wallet.walletId)
      .executeTakeFirstOrThrow()
    expect(principal / USDC).toBe(600n)
  })

  test('a hash of another operation is OPERATION_ALREADY_SUBMITTED, and so is one of another transaction of this one', async () => {
    const first = await approved()
    const hash = first.transactions[0]!.txHash!
    await expect(report(first, hash, idOf(first, 1))).rejects.toEqual(refused('OPERATION_ALREADY_SUBMITTED'))
    const second = await client.supply(200n * USDC)
    await expect(report(second, hash)).rejects.toEqual(refused('OPERATION_ALREADY_SUBMITTED'))
    await expect(report(second, hash, 999_999)).rejects.toEqual(refused('OPERATION_ALREADY_SUBMITTED'))
  })

  test('a hash belongs to each organization that planned it: a stranger with the same address takes nobody’s', async () => {
    const plan = await client.supply(100n * USDC)
    const stranger = await job.twin(client)
    await job.settle()
    const theirs = await stranger.supply(100n * USDC)
    const hash = await client.send(plan.transactions[0]!)
    const { operationId } = theirs
    const input = { sight: stranger.sight, operationId, txHash: hash }
    expect(await submitHash(job.parts, input)).toMatchObject({ operationId, txHash: hash })
    expect(await report(plan, hash)).toMatchObject({ operationId: plan.operationId, txHash: hash })
    await expect(recover(job.parts, { ...input, operationId: plan.operationId })).rejects.toEqual(
      refused('OPERATION_NOT_FOUND'),
    )
  })

  test('refuses what is no hash, an operation that is not there, and a transaction that is not of it', async () => {
    const plan = await client.supply(100n * USDC)
    for (const text of ['', '0x', '0x12', 'nonsense', `${unknownHash()}00`]) {
      await expect(report(plan, text)).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        details: { issues: [{ path: 'txHash' }] },
      })
    }
    await expect(report({ operationId: 999_999 }, 'nonsense')).rejects.toEqual(refused('OPERATION_NOT_FOUND'))
    await expect(report(plan, unknownHash(), 999_999)).rejects.toEqual(refused('TRANSACTION_NOT_FOUND'))
  })

  test('on an operation that the custody agent carries out is INVALID_OPERATION_STATUS', async () => {
    const plan = await client.supply(100n * USDC)
    await actAs(plan, 'agent')
    await expect(report(plan, unknownHash())).rejects.toEqual(refused('INVALID_OPERATION_STATUS'))
    await actAs(plan, 'client')
  })

  test('where the chain is away nothing is changed', async () => {
    const plan = await client.supply(100n * USDC)
    const away = { ...job.chain, lookUp: () => Promise.reject(new Error('away')) }
    const parts = { ...job.parts, chains: new Map([[job.chain.network.blockchain, away]]) }
    const verb = report === submit ? submitHash : recover
    const input = { sight: client.sight, operationId: plan.operationId, txHash: unknownHash() }
    await expect(verb(parts, input)).rejects.toThrow('away')
    expect((await client.operation(plan)).transactions.map(({ state }) => state)).toEqual(['unsigned', 'unsigned'])
  })

  test('of a plan with the bytes of one that ended belongs to the one that is alive', async () => {
    const first = await approved()
    const second = await client.supply(100n * USDC)
    const twin = supplyOf(second)
    expect(twin).toMatchObject({ nonce: supplyOf(first).nonce, call: supplyOf(first).call })
    await dev.mineAtOnce(false)
    const hash = await client.send(twin)
    await expect(report(first, hash)).rejects.toEqual(refused('OPERATION_ALREADY_SUBMITTED'))
    expect(await report(second, hash)).toMatchObject({ transactionId: twin.transactionId })
    await dev.mineAtOnce(true)
    await job.settle()
    expect((await client.operation(second)).state).toBe('COMPLETED')
    expect((await client.operation(first)).state).toBe('ABORTED')
  })
})

describe('submit-hash', () => {
  test('keeps the order of the operation’s transactions', async () => {
    const plan = await client.supply(100n * USDC)
    await dev.mineAtOnce(false)
    await client.send(plan.transactions[0]!)
    const later = await client.send(plan.transactions[1]!)
    await expect(submit(plan, later)).rejects.toEqual(refused('INVALID_OPERATION_STATUS'))
    await expect(submit(plan, unknownHash(), idOf(plan, 1))).rejects.toEqual(refused('INVALID_OPERATION_STATUS'))
  })

  test('of a transaction that the chain knows and that is not the plan is TRANSACTION_MISMATCH, and changes nothing', async () => {
    const plan = await client.supply(100n * USDC)
    const other = await client.receive(1n)
    await expect(submit(plan, other)).rejects.toEqual(refused('TRANSACTION_MISMATCH'))
    expect(await client.operation(plan)).toMatchObject({ state: 'EXECUTING', flagged: null })
  })

  test('when everything was submitted is OPERATION_ALREADY_SUBMITTED', async () => {
    const plan = await client.supply(100n * USDC)
    await dev.mineAtOnce(false)
    await client.submitAll(plan)
    await expect(submit(plan, unknownHash())).rejects.toEqual(refused('OPERATION_ALREADY_SUBMITTED'))
    await expect(submit(plan, unknownHash(), idOf(plan, 0))).rejects.toEqual(refused('OPERATION_ALREADY_SUBMITTED'))
    await dev.mineAtOnce(true)
    await job.settle()
    await expect(submit(plan, unknownHash())).rejects.toEqual(refused('OPERATION_ALREADY_SUBMITTED'))
  })

  test.each([
    ['expired', 'OPERATION_EXPIRED', async () => job.clock.advance(500_000)],
    ['was cancelled', 'INVALID_OPERATION_STATUS', (plan: Operation) => cancel(plan)],
  ])('on an operation that %s is %s, unless the chain has the transaction', async (_, code, end) => {
    const plan = await approved()
    await end(plan)
    await expect(submit(plan, unknownHash())).rejects.toEqual(refused(code))
    await expect(submit(plan, await client.receive(1n))).rejects.toEqual(refused(code))
    const hash = await dev.included(await client.send(supplyOf(plan)))
    expect(await submit(plan, hash)).toMatchObject({ txHash: hash })
    await job.settle()
    expect((await client.operation(plan)).state).toBe('COMPLETED')
  })

  test('in time for its approval only is OPERATION_EXPIRED, while the approval is still in flight', async () => {
    const plan = await client.supply(100n * USDC)
    await dev.mineAtOnce(false)
    await submit(plan, await client.send(plan.transactions[0]!))
    job.clock.advance(500_000)
    await expect(submit(plan, unknownHash())).rejects.toEqual(refused('OPERATION_EXPIRED'))
  })
})

describe('recover', () => {
  test('finds the transaction by content, whichever it is', async () => {
    const plan = await client.supply(100n * USDC)
    await dev.mineAtOnce(false)
    await client.send(plan.transactions[0]!)
    const later = await client.send(plan.transactions[1]!)
    expect(await recovered(plan, later)).toMatchObject({ transactionId: idOf(plan, 1) })
    await dev.mineAtOnce(true)
    await job.settle()
    expect((await client.operation(plan)).state).toBe('COMPLETED')
  })

  test('where nothing in the operation matches is TRANSACTION_NOT_FOUND', async () => {
    const plan = await client.supply(100n * USDC)
    await expect(recovered(plan, await client.receive(1n))).rejects.toEqual(refused('TRANSACTION_NOT_FOUND'))
    await dev.mineAtOnce(false)
    const approval = await client.send(plan.transactions[0]!)
    await expect(recovered(plan, approval, idOf(plan, 1))).rejects.toEqual(refused('TRANSACTION_NOT_FOUND'))
  })

  test('when everything was submitted, or is confirmed, is INVALID_OPERATION_STATUS', async () => {
    const plan = await client.supply(100n * USDC)
    await dev.mineAtOnce(false)
    await client.submitAll(plan)
    await expect(recovered(plan, unknownHash())).rejects.toEqual(refused('INVALID_OPERATION_STATUS'))
    await dev.mineAtOnce(true)
    await job.settle()
    await expect(recovered(plan, unknownHash())).rejects.toEqual(refused('INVALID_OPERATION_STATUS'))
  })

  test.each([
    ['expired', async () => job.clock.advance(500_000)],
    ['was cancelled', (plan: Operation) => cancel(plan)],
    ['was superseded', () => client.supply(5n * USDC)],
  ])('on an operation that %s links what landed, and completes it', async (_, end) => {
    const plan = await approved(600n * USDC)
    const raw = await client.sign(supplyOf(plan))
    await end(plan)
    const hash = await dev.included(await dev.sendRaw(raw))
    expect(await recovered(plan, hash)).toMatchObject({ transactionId: supplyOf(plan).transactionId, txHash: hash })
    await job.settle()
    expect(await client.operation(plan)).toMatchObject({ state: 'COMPLETED', settledAmount: 600n * USDC })
    job.clock.advance(500_000)
  })

  test('on an ended operation takes a hash that nobody knows yet, and another one after it', async () => {
    const plan = await approved()
    await cancel(plan)
    await recovered(plan, unknownHash())
    expect(await client.operation(plan)).toMatchObject({ state: 'ABORTED' })
    await dev.mineAtOnce(false)
    const hash = await client.send(supplyOf(plan))
    expect(await recovered(plan, hash)).toMatchObject({ txHash: hash })
    await dev.mineAtOnce(true)
    await job.settle()
    expect(supplyOf(await client.operation(plan))).toMatchObject({ state: 'confirmed', txHash: hash })
  })

  test('what landed of an ended operation in a block that the follower never saw is settled from that block', async () => {
    const plan = await approved(600n * USDC)
    await cancel(plan)
    const hash = await dev.included(await client.send(supplyOf(plan)))
    await followFromTheHead()
    await expectChain(job)
    await recovered(plan, hash)
    expect(await client.operation(plan)).toMatchObject({ state: 'COMPLETED', failureReason: 'CANCELLED' })
  })
})

test('a node that tells late of a block that was passed does not leave its transaction pending', async () => {
  const plan = await approved(600n * USDC)
  const hash = await dev.included(await client.send(supplyOf(plan)))
  const late = { ...job.chain, lookUp: async () => [undefined] }
  const parts = { ...job.parts, chains: new Map([[job.chain.network.blockchain, late]]) }
  await followFromTheHead()
  await submitHash(parts, { sight: client.sight, operationId: plan.operationId, txHash: hash })
  expect((await client.operation(plan)).state).toBe('CONFIRMING')
  job.clock.advance(10_000)
  await checkPending(job.parts, job.chain)
  expect((await client.operation(plan)).state).toBe('COMPLETED')
})

/** As after a development chain lost its last block: following goes on from the head, and what was before it is passed. */
async function followFromTheHead(): Promise<void> {
  const { blockchain } = job.chain.network
  await job.db.updateTable('chain_cursors').set({ final_hash: '0xgone' }).where('blockchain', '=', blockchain).execute()
  job = await job.on(dev, () => {})
}

async function actAs({ operationId }: Operation, executor: 'client' | 'agent'): Promise<void> {
  await job.db.updateTable('operations').set({ executor }).where('id', '=', operationId).execute()
}
