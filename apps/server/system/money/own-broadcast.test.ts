import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../../testing/until.ts'
import type { Strategy, Submitted } from '../clients/api-types.ts'
import { expectRefusal } from '../clients/expect-refusal.ts'
import { onChain } from '../clients/on-chain.ts'
import { createFundedWalletClient, type WalletClient } from '../clients/wallet-client.ts'
import { sharedSystem } from '../service/shared-system.ts'
import type { System } from '../service/start-system.ts'

const TOKEN = 1_000_000n
const UNKNOWN = `0x${'ab'.repeat(32)}`

interface Unsigned {
  readonly attemptId: number
  readonly unsignedTransaction: { readonly serialized: string }
  readonly evmTransaction: { readonly nonce: number; readonly chainId: number }
}

interface Earnings {
  readonly walletAddress: string
  readonly totalYieldEarned: string
  readonly history: readonly { readonly date: string; readonly yieldEarned: string }[]
  readonly byVenue: readonly { readonly totalYieldEarned: string }[]
}

let system: System
let aave: Strategy
let vault: Strategy
beforeAll(async () => {
  system = await sharedSystem()
  aave = await system.strategy('polygon', 'Aave V3 USDC')
  const all = await system.strategies()
  vault = all.find(
    ({ blockchain, protocol, token }) => `${blockchain} ${protocol} ${token}` === 'polygon erc4626 USDC',
  )!
})
afterAll(() => system?.stop())

const planned = async () => {
  const holder = await createFundedWalletClient(system.profile, 'polygon', 10n * TOKEN)
  return { holder, outside: await onChain(system, holder), plan: await holder.planSupply(aave, 10n * TOKEN) }
}
const submitHash = (operationId: number, txHash: string) =>
  system.profile.post<Submitted>('/v1/transactions/submit-hash', { operationId, txHash })
const recover = (operationId: number, txHash: string) =>
  system.profile.post(`/v1/transactions/${operationId}/recover`, { txHash })
const unsigned = (operationId: number) =>
  system.profile.get<Unsigned[]>(`/v1/operations/${operationId}/unsigned-transactions`)

test('a client that broadcasts with its own library reports hashes, and the operation is confirmed', async () => {
  const { holder, outside, plan } = await planned()
  const { operationId } = plan
  for (const transaction of plan.transactions) {
    const { transactionHash: txHash } = await outside.broadcast(await holder.sign(transaction))
    const answer = await submitHash(operationId, txHash)
    expect(answer.status, answer.text).toBe(202)
    expect(answer.body).toEqual({ id: transaction.id, operationId, status: 'pending', txHash })
    expect((await submitHash(operationId, txHash)).body).toEqual(answer.body)
  }
  const done = await holder.waitForStatus(operationId, 'CONFIRMED')
  const [first] = done.transactions
  expect(await recover(operationId, first!.txHash!)).toMatchObject({
    status: 200,
    body: { success: true, transactionId: first!.id, txHash: first!.txHash },
  })
  expectRefusal(await submitHash(operationId, UNKNOWN), 400, 'OPERATION_ALREADY_SUBMITTED')
  expectRefusal(await recover(operationId, UNKNOWN), 400, 'INVALID_OPERATION_STATUS')
})

test('a broadcast transaction of a cancelled operation is recovered and completes it', async () => {
  const { holder, outside, plan } = await planned()
  const { operationId } = plan
  const [approval, supply] = plan.transactions
  await holder.submit(plan, approval!)
  await until(async () => (await holder.read(operationId)).transactions[0]!.status === 'confirmed')
  expect((await system.profile.post(`/v1/operations/${operationId}/cancel`)).status).toBe(200)
  expectRefusal(await submitHash(operationId, UNKNOWN), 400, 'INVALID_OPERATION_STATUS')
  const { transactionHash: txHash } = await outside.broadcast(await holder.sign(supply!))
  expect(await recover(operationId, txHash)).toMatchObject({ status: 200, body: { transactionId: supply!.id, txHash } })
  expect(await holder.waitForStatus(operationId, 'CONFIRMED')).toMatchObject({ failureReason: 'CANCELLED' })
  expect((await holder.allocations()).allocations).toMatchObject([{ principal: (10n * TOKEN).toString() }])
})

test('bytes whose nonce was used are refused with a link to new bytes, which complete the operation', async () => {
  const { holder, outside, plan } = await planned()
  const { operationId } = plan
  const { body: stored } = await unsigned(operationId)
  expect(stored.map(({ unsignedTransaction }) => unsignedTransaction.serialized)).toEqual(
    plan.transactions.map(({ unsignedTransaction }) => unsignedTransaction),
  )
  await outside.included(await outside.writer.sendTransaction({ to: holder.account.address, value: 0n }))
  const signedTransaction = await holder.sign(plan.transactions[0]!)
  const late = await system.profile.post('/v1/transactions/submit-signed', { operationId, signedTransaction })
  const { refresh } = expectRefusal(late, 400, 'OPERATION_EXPIRED') as { refresh: string }
  expect(refresh).toBe(`${system.process.url}/v1/operations/${operationId}/unsigned-transactions`)

  let nonce = stored[0]!.evmTransaction.nonce
  for (const { id } of plan.transactions) {
    const given = await until(async () => {
      const { body, text } = await unsigned(operationId)
      const found = Array.isArray(body) ? body.find(({ attemptId }) => attemptId === id) : undefined
      if (found === undefined || found.evmTransaction.nonce <= nonce) throw new Error(text)
      return found
    })
    nonce = given.evmTransaction.nonce
    const { serialized } = given.unsignedTransaction
    await holder.submit(plan, { ...plan.transactions[0]!, id, unsignedTransaction: serialized })
  }
  await holder.waitForStatus(operationId, 'CONFIRMED')
})

test('ninety days of earnings add up to the allocations, to the base unit', async () => {
  const holder = await createFundedWalletClient(system.profile, 'polygon', 9_000n * TOKEN)
  await holder.supply(aave, 4_000n * TOKEN)
  await holder.supply(vault, 5_000n * TOKEN)
  expect((await system.profile.post('/v1/sandbox/advance-time', { seconds: 90 * 86_400 })).status).toBe(200)
  const { list, earnings } = await atOneBlock(holder)
  expect(earnings.walletAddress).toBe(holder.walletAddress)
  const total = BigInt(list.totalYieldEarned)
  expect(total).toBeGreaterThan(20n * TOKEN)
  const sum = (amounts: readonly string[]) => amounts.reduce((all, amount) => all + BigInt(amount), 0n)
  expect(BigInt(earnings.totalYieldEarned)).toBe(total)
  expect(sum(earnings.history.map(({ yieldEarned }) => yieldEarned))).toBe(total)
  expect(sum(earnings.byVenue.map(({ totalYieldEarned }) => totalYieldEarned))).toBe(total)
  expect(earnings.history).toHaveLength(91)
  expect(new Set(earnings.history.map(({ date }) => date)).size).toBe(91)
})

/** Reads allocations and earnings at the same block. */
async function atOneBlock(holder: WalletClient) {
  const query = `walletId=${holder.walletId}&blockchain=polygon&token=USDC&days=120&includeBreakdown=true`
  return until(async () => {
    const list = await holder.allocations()
    const { body: earnings } = await system.profile.get<Earnings>(`/v1/allocations/earnings?${query}`)
    if (JSON.stringify(await holder.allocations()) !== JSON.stringify(list)) throw new Error('a block came')
    return { list, earnings }
  })
}
