import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Operation, Strategy, Submitted, Transaction } from '../clients/api-types.ts'
import { expectIssues, expectRefusal } from '../clients/expect-refusal.ts'
import { onChain, UNKNOWN_ADDRESS } from '../clients/on-chain.ts'
import { createFundedWalletClient, type WalletClient } from '../clients/wallet-client.ts'
import { sharedSystem } from '../service/shared-system.ts'
import type { System } from '../service/start-system.ts'

const TOKEN = 1_000_000n

let system: System
let aave: Strategy

beforeAll(async () => {
  system = await sharedSystem()
  aave = await system.strategy('polygon', 'Aave V3 USDC')
})
afterAll(() => system?.stop())

const submit = (operationId: unknown, signedTransaction: unknown, more: Record<string, unknown> = {}) =>
  system.profile.post<Submitted>('/v1/transactions/submit-signed', { operationId, signedTransaction, ...more })
const fault = (name: string, count: number) =>
  system.profile.post('/v1/sandbox/chain-faults', { blockchain: 'polygon', fault: name, count })

async function planned(): Promise<{
  holder: WalletClient
  plan: Operation
  approval: Transaction
  deposit: Transaction
}> {
  const holder = await createFundedWalletClient(system.profile, 'polygon', 10n * TOKEN)
  const plan = await holder.planSupply(aave, 10n * TOKEN)
  const [approval, deposit] = plan.transactions
  return { holder, plan, approval: approval!, deposit: deposit! }
}

async function confirmedApproval(holder: WalletClient, { operationId }: Operation): Promise<Transaction> {
  await expect
    .poll(async () => (await holder.read(operationId)).transactions[0]!.status, { timeout: 90_000 })
    .toBe('confirmed')
  return (await holder.read(operationId)).transactions[0]!
}

test('submitted bytes get 202 with their hash and are tracked until the operation is confirmed', async () => {
  const { holder, plan, approval, deposit } = await planned()
  const { operationId } = plan
  const answer = await submit(operationId, await holder.sign(approval))
  expect(answer.status).toBe(202)
  const { txHash } = answer.body
  expect(answer.body).toEqual({
    id: approval.id,
    operationId,
    status: 'pending',
    txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
  })
  expect((await holder.read(operationId)).status).toBe('AWAITING_SIGNATURE')
  expect(await confirmedApproval(holder, plan)).toMatchObject({ txHash, status: 'confirmed' })
  expect((await submit(operationId, await holder.sign(deposit))).status).toBe(202)
  expect(['SUBMITTED', 'CONFIRMED']).toContain((await holder.read(operationId)).status)
  const done = await holder.waitForStatus(operationId, 'CONFIRMED')
  expect(done.transactions.map(({ status }) => status)).toEqual(['confirmed', 'confirmed'])
  const { body } = await system.profile.get(`/v1/transactions/${approval.id}`)
  // Blocks are mined between the two reads.
  expect(body).toEqual({ ...done.transactions[0], operationId, confirmations: expect.any(Number) })
})

test('bytes may be hex with or without 0x, in any case, or base64, optionally with their id and hash', async () => {
  const { holder, plan, approval } = await planned()
  const signed = await holder.sign(approval)
  const bare = signed.slice(2)
  const first = await submit(plan.operationId, bare, { transactionId: approval.id })
  expect(first.status).toBe(202)
  const { txHash } = first.body
  for (const spelling of [signed, bare.toUpperCase(), Buffer.from(bare, 'hex').toString('base64')]) {
    const again = await submit(plan.operationId, spelling, { txHash, transactionId: approval.id })
    expect([again.status, again.body]).toEqual([202, first.body])
  }
})

test('the same bytes get the first response again in any state, even concurrently or after the end', async () => {
  const { holder, plan, approval, deposit } = await planned()
  const signed = await holder.sign(approval)
  const answers = await Promise.all(Array.from({ length: 5 }, () => submit(plan.operationId, signed)))
  expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(202))
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  await holder.submit(plan, deposit)
  await holder.waitForStatus(plan.operationId, 'CONFIRMED')
  const late = await submit(plan.operationId, signed)
  expect([late.status, late.body]).toEqual([202, answers[0]!.body])
})

test('anything but a signed transaction is refused, and so is a missing field', async () => {
  const { plan } = await planned()
  for (const text of ['', '0x', '0xzz', 'hello', '0x02c0', 'AAAA', '0x'.padEnd(500, 'f')]) {
    expectRefusal(await submit(plan.operationId, text), 400, 'VALIDATION_ERROR')
  }
  const unsigned = plan.transactions[0]!.unsignedTransaction
  expectRefusal(await submit(plan.operationId, unsigned), 400, 'VALIDATION_ERROR')
  expectIssues(await submit('1', 5), 'operationId', 'signedTransaction')
  expectIssues(await submit(plan.operationId, undefined), 'signedTransaction')
})

describe('bytes that were not planned are TRANSACTION_MISMATCH and are not sent:', () => {
  let given: Awaited<ReturnType<typeof planned>>
  beforeAll(async () => {
    given = await planned()
  })

  test.each([
    ['another destination', { to: UNKNOWN_ADDRESS }, 'to'],
    ['other call data', { data: '0x095ea7b3' as Hex }, 'data'],
    ['a value', { value: 1n }, 'value'],
    ['another nonce', { nonce: 7 }, 'nonce'],
    ['another chain', { chainId: 137 }, 'chainId'],
  ] as const)('%s', async (_what, changes, field) => {
    const { holder, plan, approval } = given
    const details = expectRefusal(
      await submit(plan.operationId, await holder.sign(approval, changes)),
      400,
      'TRANSACTION_MISMATCH',
    )
    expect(details.fields).toEqual([field])
    expect(await holder.read(plan.operationId)).toEqual(plan)
  })

  test('another signer', async () => {
    const { holder, plan, approval } = given
    const stranger = privateKeyToAccount(generatePrivateKey())
    const signed = await stranger.signTransaction(
      holder.planned(approval) as Parameters<typeof stranger.signTransaction>[0],
    )
    expectRefusal(await submit(plan.operationId, signed), 400, 'TRANSACTION_MISMATCH')
  })

  test('a hash that does not match the bytes', async () => {
    const { holder, plan, approval } = given
    for (const txHash of [`0x${'1'.repeat(64)}`, 'nonsense', 'x'.repeat(5_000)]) {
      expectRefusal(
        await submit(plan.operationId, await holder.sign(approval), { txHash }),
        400,
        'TRANSACTION_MISMATCH',
      )
    }
  })

  test('the bytes of another transaction than the named one, or of another operation', async () => {
    const { holder, plan, approval, deposit } = given
    const signed = await holder.sign(deposit)
    expectRefusal(await submit(plan.operationId, signed, { transactionId: approval.id }), 400, 'TRANSACTION_MISMATCH')
    const other = await planned()
    expectRefusal(await submit(other.plan.operationId, signed), 400, 'TRANSACTION_MISMATCH')
    expectRefusal(
      await submit(plan.operationId, signed, { transactionId: other.deposit.id }),
      404,
      'TRANSACTION_NOT_FOUND',
    )
  })
})

test('transactions go in order: a later one before an earlier one is INVALID_OPERATION_STATUS', async () => {
  const { holder, plan, approval, deposit } = await planned()
  expectRefusal(await submit(plan.operationId, await holder.sign(deposit)), 400, 'INVALID_OPERATION_STATUS')
  expect(await holder.read(plan.operationId)).toEqual(plan)
  await holder.submit(plan, approval)
  await holder.submit(plan, deposit)
  await holder.waitForStatus(plan.operationId, 'CONFIRMED')
})

test('a client may raise gas and fees; more than it can pay is INSUFFICIENT_GAS and changes nothing', async () => {
  const { holder, plan, approval, deposit } = await planned()
  const tooMuch = await holder.sign(approval, { maxFeePerGas: 10n ** 18n, gas: 1_000_000n })
  expectRefusal(await submit(plan.operationId, tooMuch), 400, 'INSUFFICIENT_GAS')
  expect(await holder.read(plan.operationId)).toEqual(plan)
  const { gas = 0n, maxFeePerGas = 0n } = holder.planned(approval)
  const raised = await holder.sign(approval, { gas: gas * 2n, maxFeePerGas: maxFeePerGas * 2n })
  expect((await submit(plan.operationId, raised)).status).toBe(202)
  await holder.submit(plan, deposit)
  await holder.waitForStatus(plan.operationId, 'CONFIRMED')
})

test('a pending transaction is replaced by the same plan with 10% higher fees, and by nothing else', async () => {
  const { holder, plan, approval, deposit } = await planned()
  const { maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = holder.planned(approval)
  const raised = (percent: bigint) => ({
    maxFeePerGas: (maxFeePerGas * (100n + percent)) / 100n + 1n,
    maxPriorityFeePerGas: (maxPriorityFeePerGas * (100n + percent)) / 100n + 1n,
  })
  await fault('delay_next', 1)
  const first = await submit(plan.operationId, await holder.sign(approval))
  expect(first.status).toBe(202)
  const little = await holder.sign(approval, raised(5n))
  expectRefusal(await submit(plan.operationId, little), 400, 'OPERATION_ALREADY_SUBMITTED')
  const half = await holder.sign(approval, { maxFeePerGas: maxFeePerGas * 2n })
  expectRefusal(await submit(plan.operationId, half), 400, 'OPERATION_ALREADY_SUBMITTED')
  const second = await submit(plan.operationId, await holder.sign(approval, raised(11n)))
  expect(second.status).toBe(202)
  expect(second.body.id).toBe(approval.id)
  expect(second.body.txHash).not.toBe(first.body.txHash)
  expect((await confirmedApproval(holder, plan)).txHash).toBe(second.body.txHash)
  expectRefusal(
    await submit(plan.operationId, await holder.sign(approval, raised(50n))),
    400,
    'OPERATION_ALREADY_SUBMITTED',
  )
  await holder.submit(plan, deposit)
  await holder.waitForStatus(plan.operationId, 'CONFIRMED')
})

test('an operation with a confirmed approval can be cancelled or superseded until its last is sent', async () => {
  const { holder, plan, approval } = await planned()
  await holder.submit(plan, approval)
  await confirmedApproval(holder, plan)
  const next = await holder.planSupply(aave, 10n * TOKEN)
  expect(next.cancelledOperations).toEqual([plan.operationId])
  // The allowance is exact: only the supply itself is left.
  expect(next.transactions).toHaveLength(1)
  const old = await holder.read(plan.operationId)
  expect(old).toMatchObject({ status: 'FAILED', failureReason: 'SUPERSEDED' })
  expect(old.transactions.map(({ status }) => status)).toEqual(['confirmed', 'failed'])

  await fault('delay_next', 1)
  await holder.submit(next, next.transactions[0]!)
  expect((await holder.read(next.operationId)).status).toBe('SUBMITTED')
  const cancel = await system.profile.post(`/v1/operations/${next.operationId}/cancel`)
  expectRefusal(cancel, 400, 'INVALID_OPERATION_STATUS')
  const another = await system.profile.post('/v1/operations/supply', holder.supplyOf(aave, TOKEN))
  expectRefusal(another, 409, 'OPERATION_IN_PROGRESS')
  await holder.waitForStatus(next.operationId, 'CONFIRMED')
  expectRefusal(await system.profile.post(`/v1/operations/${next.operationId}/cancel`), 400, 'INVALID_OPERATION_STATUS')
})

test('bytes of a cancelled operation are INVALID_OPERATION_STATUS, but if they land it completes', async () => {
  const { holder, plan, approval, deposit } = await planned()
  const signed = [await holder.sign(approval), await holder.sign(deposit)]
  expect((await system.profile.post(`/v1/operations/${plan.operationId}/cancel`)).status).toBe(200)
  expectRefusal(await submit(plan.operationId, signed[0]), 400, 'INVALID_OPERATION_STATUS')
  const chain = await onChain(system, holder)
  for (const bytes of signed) await chain.broadcast(bytes)
  for (const bytes of signed) expect((await submit(plan.operationId, bytes)).status).toBe(202)
  const done = await holder.waitForStatus(plan.operationId, 'CONFIRMED')
  expect(done.failureReason).toBe('CANCELLED')
  expect(await holder.balance('USDC')).toMatchObject({ available: '0', reserved: '0' })
  expect((await holder.allocations()).allocations).toMatchObject([{ principal: '10000000' }])
})

test('planned bytes that the client broadcasts itself are recognized without a report', async () => {
  const { holder, plan, approval, deposit } = await planned()
  const chain = await onChain(system, holder)
  for (const transaction of [approval, deposit]) await chain.broadcast(await holder.sign(transaction))
  const done = await holder.waitForStatus(plan.operationId, 'CONFIRMED')
  expect(done.transactions.map(({ status }) => status)).toEqual(['confirmed', 'confirmed'])
  expect(await holder.balance('USDC')).toMatchObject({ available: '0', reserved: '0' })
})

test('bytes whose nonce the client used elsewhere are OPERATION_EXPIRED, and a new plan takes the next', async () => {
  const { holder, plan, approval } = await planned()
  const signed = await holder.sign(approval)
  const chain = await onChain(system, holder)
  await chain.included(await chain.writer.sendTransaction({ to: UNKNOWN_ADDRESS, value: 1n }))
  const refused = await submit(plan.operationId, signed)
  expect(expectRefusal(refused, 400, 'OPERATION_EXPIRED')).toHaveProperty('refresh')
  const next = await holder.planSupply(aave, 10n * TOKEN)
  expect(next.transactions.map((transaction) => holder.planned(transaction).nonce)).toEqual([1, 2])
  await holder.carryOut(next)
})

test('an allowance that a cancelled supply left is shown, revoked by a signed transaction, and gone', async () => {
  const { holder, plan, approval } = await planned()
  const { operationId } = plan
  await holder.submit(plan, approval)
  await confirmedApproval(holder, plan)
  expect(await holder.read(operationId)).not.toHaveProperty('leftAllowance')
  expect((await system.profile.post(`/v1/operations/${operationId}/cancel`)).status).toBe(200)
  const { leftAllowance } = await holder.read(operationId)
  expect(leftAllowance).toMatchObject({ amount: '10000000', revocation: { to: aave.tokenAddress } })

  const { walletId } = holder
  const named = { walletId, strategyId: aave.strategyId }
  const idempotencyKey = crypto.randomUUID()
  const revoke = (body: object = named, more: object = {}) =>
    system.profile.post<Operation>('/v1/operations/revoke-allowance', body, more)
  const first = await revoke(named, { idempotencyKey })
  expect(first, first.text).toMatchObject({
    status: 201,
    body: { type: 'supply', amount: '0', revokesAllowance: '10000000', status: 'AWAITING_SIGNATURE' },
  })
  expect((await revoke(named, { idempotencyKey })).body).toEqual(first.body)
  expectRefusal(await revoke({ ...named, ifBusy: 'reject' }), 409, 'OPERATION_IN_PROGRESS')
  expect(holder.planned(first.body.transactions[0]!).data).toBe(leftAllowance!.revocation.data)
  expect(await holder.carryOut(first.body)).toMatchObject({ settledAmount: '0', revokesAllowance: '10000000' })
  expect(await holder.read(operationId)).not.toHaveProperty('leftAllowance')
  const nothing = expectRefusal(await revoke(), 404, 'ALLOCATION_NOT_FOUND')
  expect(nothing).toEqual({ reason: 'nothing_to_revoke' })
  expect(await holder.balance('USDC')).toMatchObject({ available: '10000000', reserved: '0' })
})
