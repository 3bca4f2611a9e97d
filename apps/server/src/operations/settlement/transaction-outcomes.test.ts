import { keccak256 } from 'viem'
import { expect, test } from 'vitest'
import { anyState } from '../../../testing/any-state.ts'
import { USDC } from '../../../testing/units.ts'
import { useEngine } from '../../../testing/use-engine.ts'
import { checkPendingTransactions, type Operation, type Parts, submitSigned } from '../index.ts'

const use = useEngine()
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

async function available(): Promise<bigint> {
  const row = await use.engine.db
    .selectFrom('ledger_balances')
    .select('available')
    .where('wallet_id', '=', use.client.wallet.walletId)
    .where('token_address', '=', use.client.usdcAddress)
    .executeTakeFirstOrThrow()
  return row.available / USDC
}

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

test('REPLACED: another transaction used the nonce of a known transaction; the reservation is released', async () => {
  const plan = await pending()
  await use.dev.rpc('anvil_dropTransaction', supplyOf(plan).txHash)
  const hash = await use.client.useNonce()
  await use.engine.settle()
  await use.dev.mineAtOnce(true)
  await use.engine.settle()
  const ended = await use.client.operation(plan)
  expect(ended).toMatchObject({ state: 'FAILED', failureReason: 'ONCHAIN' })
  expect(supplyOf(ended)).toMatchObject({ status: 'failed', failureCode: 'REPLACED' })
  expect(supplyOf(ended).error).toContain(hash)
  expect(await available()).toBe(1_000n)
})

test('NONCE_TOO_LOW: another transaction used the nonce of one that no node ever knew', async () => {
  const plan = await use.client.supply(100n * USDC)
  const [first] = plan.transactions
  const lost = submitSigned(partsThatDieBeforeSending(), {
    scope: use.client.scope,
    operationId: plan.operationId,
    signedTransaction: await use.client.sign(first!),
  })
  await expect(lost).rejects.toThrow('died')
  use.engine.clock.advance(5_000)
  const hash = await use.client.useNonce()
  await use.engine.settle()
  const ended = await use.client.operation(plan)
  expect(ended.state).toBe('FAILED')
  expect(ended.transactions[0]).toMatchObject({ failureCode: 'NONCE_TOO_LOW' })
  expect(anyState(ended.transactions[0]!).error).toContain(hash)
})

test('the same plan that the client sent with higher fees is linked under its new hash', async () => {
  const plan = await pending()
  const raw = await use.client.sign(supplyOf(plan), { feePercent: 150n })
  await use.dev.sendRaw(raw)
  await use.dev.mineAtOnce(true)
  await use.engine.settle()
  const done = await use.client.operation(plan)
  expect(done.state).toBe('COMPLETED')
  expect(supplyOf(done).txHash).toBe(keccak256(raw))
})

test('an unreported transaction is matched by its content and completes its operation', async () => {
  const plan = await use.client.supply(100n * USDC)
  for (const transaction of plan.transactions) await use.dev.included(await use.client.send(transaction))
  await use.engine.settle()
  const done = await use.client.operation(plan)
  expect(done).toMatchObject({ state: 'COMPLETED', settledAmount: 100n * USDC })
  expect(done.transactions.map(({ status }) => status)).toEqual(['confirmed', 'confirmed'])
  expect(done.transactions.map(anyState).every(({ txHash }) => txHash !== null)).toBe(true)
})

test('REVERTED: the operation fails with the contract’s reason, and the reservation is released', async () => {
  const plan = await pending()
  // The wallet is empty when the block is mined.
  await use.dev.rpc('anvil_dealERC20', use.client.address, use.client.usdcAddress, '0x0')
  await use.dev.mineAtOnce(true)
  await use.engine.settle()
  const ended = await use.client.operation(plan)
  expect(ended).toMatchObject({ state: 'FAILED', failureReason: 'ONCHAIN' })
  expect(supplyOf(ended)).toMatchObject({ status: 'failed', failureCode: 'REVERTED' })
  expect(supplyOf(ended).revertReason).toMatch(/balance/i)
  expect(supplyOf(ended).blockNumber).not.toBeNull()
  const [reservation] = await use.engine.db
    .selectFrom('reservations')
    .select('released_at')
    .where('operation_id', '=', plan.operationId)
    .execute()
  expect(reservation!.released_at).not.toBeNull()
})

test('OUT_OF_GAS: the operation fails on chain', async () => {
  const plan = await use.client.supply(100n * USDC)
  await use.client.submit(plan, await use.client.sign(plan.transactions[0]!))
  await use.engine.settle()
  const raw = await use.client.sign(plan.transactions[1]!, { change: { gas: 24_000n } })
  await use.client.submit(plan, raw)
  await use.engine.settle()
  const ended = await use.client.operation(plan)
  expect(ended).toMatchObject({ state: 'FAILED', failureReason: 'ONCHAIN' })
  expect(supplyOf(ended)).toMatchObject({ failureCode: 'OUT_OF_GAS' })
  expect(await available()).toBe(1_000n)
})

test('DROPPED: no node knows the transaction for two minutes, and not a moment sooner', async () => {
  const plan = await pending()
  await use.dev.rpc('anvil_dropTransaction', supplyOf(plan).txHash)
  await after(119_999)
  expect((await use.client.operation(plan)).state).toBe('CONFIRMING')
  await after(1)
  const ended = await use.client.operation(plan)
  expect(ended).toMatchObject({ state: 'FAILED', failureReason: 'ONCHAIN' })
  expect(supplyOf(ended)).toMatchObject({ failureCode: 'DROPPED' })
  expect(await available()).toBe(1_000n)
})

test('TIMEOUT: nodes know the transaction, but no block includes it for thirty minutes', async () => {
  const plan = await pending()
  await after(60_000)
  await after(29 * 60_000 - 1)
  expect((await use.client.operation(plan)).state).toBe('CONFIRMING')
  await after(1)
  expect(supplyOf(await use.client.operation(plan))).toMatchObject({ failureCode: 'TIMEOUT' })
  await use.dev.mineAtOnce(true)
  await use.engine.settle()
  expect((await use.client.operation(plan)).state).toBe('COMPLETED')
})

test('dropped bytes can be planned and submitted again, even if they are identical', async () => {
  const plan = await pending()
  const raw = await use.client.sign(supplyOf(plan))
  await use.dev.rpc('anvil_dropTransaction', supplyOf(plan).txHash)
  await after(120_000)
  const again = await use.client.supply(100n * USDC)
  expect(again.transactions.length).toBe(1)
  // Fees do not change on a quiet chain, so the bytes are the same.
  const same = await use.client.sign(supplyOf(plan))
  expect(same).toBe(raw)
  await use.engine.db
    .updateTable('transactions')
    .set({ unsigned_bytes: supplyOf(plan).unsignedBytes })
    .where('id', '=', again.transactions[0]!.transactionId)
    .execute()
  await use.dev.mineAtOnce(true)
  await use.client.submit(again, raw)
  await use.dev.included(keccak256(raw))
  await use.engine.settle()
  expect((await use.client.operation(again)).state).toBe('COMPLETED')
  expect((await use.client.operation(plan)).state).toBe('FAILED')
})

test('an outage of the nodes proves nothing: the two minutes start with the first successful check', async () => {
  const plan = await pending()
  await use.dev.rpc('anvil_dropTransaction', supplyOf(plan).txHash)
  use.engine.clock.advance(600_000)
  const availableSince = use.engine.clock.now()
  const check = () => checkPendingTransactions(use.engine.parts, use.engine.chain, availableSince)
  await check()
  expect((await use.client.operation(plan)).state).toBe('CONFIRMING')
  use.engine.clock.advance(119_999)
  await check()
  expect((await use.client.operation(plan)).state).toBe('CONFIRMING')
  use.engine.clock.advance(1)
  await check()
  expect(supplyOf(await use.client.operation(plan))).toMatchObject({ failureCode: 'DROPPED' })
})
