// Requests and claims that land late, leave the chain, or are planned twice: nothing is lost, and nothing counts twice.
import { afterEach, expect, test } from 'vitest'
import { anyState } from '../../../testing/any-state.ts'
import { BY_KEY } from '../../../testing/requesters.ts'
import type { TestClient } from '../../../testing/test-client.ts'
import { USDC } from '../../../testing/units.ts'
import { useEngine } from '../../../testing/use-engine.ts'
import { checkPendingTransactions, expireOverdue, type Operation, planClaim } from '../../operations/index.ts'

const DAY = 86_400
const QUEUE = 'erc7540:polygon:USDC'
const COOLDOWN = 'cooldown-vault:polygon:USDC'
const use = useEngine({ confirmations: 3 })

afterEach(() => use.dev.setStrategyState(COOLDOWN, { cooldownSeconds: 7 * DAY }))

const claim = ({ scope, wallet }: TestClient, key: string, ifBusy?: 'reject') =>
  planClaim(use.engine.parts, {
    scope,
    walletId: wallet.walletId,
    strategyId: use.engine.strategy(key).id,
    requestedBy: BY_KEY,
    ...(ifBusy && { ifBusy }),
  })

const exitsOf = ({ wallet }: TestClient) =>
  use.engine.db
    .selectFrom('exits')
    .select(['state', 'pending', 'claimable', 'requested', 'claimed'])
    .where('wallet_id', '=', wallet.walletId)
    .orderBy('id')
    .execute()

const ledgerOf = ({ wallet, usdcAddress }: TestClient) =>
  use.engine.db
    .selectFrom('ledger_balances')
    .select(['available', 'exiting', 'yield', 'external'])
    .where('wallet_id', '=', wallet.walletId)
    .where('token_address', '=', usdcAddress)
    .executeTakeFirstOrThrow()

/** The only transaction of an operation, signed by its client. */
const signed = (operation: Operation) => use.client.sign(operation.transactions[0]!)

async function expired(operation: Operation): Promise<Operation> {
  use.engine.clock.advance(3_600_000)
  await expireOverdue(use.engine.parts)
  const ended = await use.client.operation(operation)
  expect(ended).toMatchObject({ state: 'FAILED', failureReason: 'EXPIRED' })
  return ended
}

async function land(raw: string): Promise<void> {
  await use.dev.included(await use.dev.sendRaw(raw))
  await use.engine.settle()
}

/** All of a supply, requested and claimable. */
async function claimable(amount: bigint): Promise<void> {
  const { client } = use
  await client.complete(await client.supply(amount, COOLDOWN))
  await client.complete(await client.unwind(amount - USDC, COOLDOWN))
  await use.dev.increaseTime(7 * DAY + 60)
  await use.engine.settle()
  expect(await exitsOf(client)).toMatchObject([{ state: 'claimable', claimable: amount - USDC }])
}

test('a request that lands after its operation expired is booked once, and completes the operation', async () => {
  const { client } = use
  await client.complete(await client.supply(500n * USDC, COOLDOWN))
  const plan = await client.unwind(200n * USDC, COOLDOWN)
  const raw = await signed(plan)
  await expired(plan)
  const { external } = await ledgerOf(client)
  await land(raw)
  const late = await client.operation(plan)
  expect(late).toMatchObject({ state: 'COMPLETED', failureReason: 'EXPIRED', settledAmount: 200n * USDC })
  const waiting = { state: 'pending', pending: 200n * USDC, claimable: 0n, claimed: 0n, requested: 200n * USDC }
  expect(await exitsOf(client)).toEqual([waiting])
  expect(await ledgerOf(client)).toMatchObject({ available: 500n * USDC, exiting: 200n * USDC, external })
})

test('a late request and the one that was planned instead use the same nonce: only one of them is requested', async () => {
  const { client } = use
  await client.complete(await client.supply(500n * USDC, QUEUE))
  const first = await client.unwind(200n * USDC, QUEUE)
  const raw = await client.sign(first.transactions[0]!, { feePercent: 200n })
  await expired(first)
  const second = await client.unwind(150n * USDC, QUEUE)
  await use.dev.mineAtOnce(false)
  await client.submit(second, await signed(second))
  const hash = await use.dev.sendRaw(raw)
  await use.dev.mineAtOnce(true)
  await use.dev.included(hash)
  await use.engine.settle()
  expect(await client.operation(first)).toMatchObject({ state: 'COMPLETED' })
  expect(await client.operation(second)).toMatchObject({ state: 'FAILED' })
  const [exit] = await exitsOf(client)
  expect(exit!.requested - 200n * USDC).toBeLessThanOrEqual(1n)
  expect((await ledgerOf(client)).exiting).toBe(exit!.pending)
})

test('a claim that lands after its operation expired is booked once, and closes the exit', async () => {
  const { client } = use
  await claimable(300n * USDC)
  const plan = await claim(client, COOLDOWN)
  const raw = await signed(plan)
  await expired(plan)
  const before = await ledgerOf(client)
  await land(raw)
  expect(await client.operation(plan)).toMatchObject({ state: 'COMPLETED', settledAmount: 299n * USDC })
  expect(await exitsOf(client)).toMatchObject([{ state: 'claimed', claimed: 299n * USDC }])
  const { available, exiting, external, yield: earned } = await ledgerOf(client)
  expect({ available, exiting, external }).toEqual({ available: 999n * USDC, exiting: 0n, external: before.external })
  expect(earned).toBe(before.yield)
  await expect(claim(client, COOLDOWN)).rejects.toMatchObject({ code: 'ALLOCATION_NOT_FOUND' })
})

test('a claim that landed unnoticed before it was planned again is paid once', async () => {
  const { client } = use
  await claimable(300n * USDC)
  const first = await claim(client, COOLDOWN)
  const raw = await signed(first)
  await expired(first)
  await use.dev.included(await use.dev.sendRaw(raw))
  // Its block is not final: the exit is still claimable in the books, not on the chain.
  expect(await exitsOf(client)).toMatchObject([{ state: 'claimable' }])
  await expect(claim(client, COOLDOWN)).rejects.toMatchObject({ code: 'ALLOCATION_NOT_FOUND' })
  await use.engine.settle()
  expect(await exitsOf(client)).toMatchObject([{ state: 'claimed', claimed: 299n * USDC }])
  expect(await client.usdc()).toBe(999n * USDC)
})

test('a reorganization that removes a request leaves the position as it was, and its bytes count once', async () => {
  const { client, dev, engine } = use
  await client.complete(await client.supply(400n * USDC, QUEUE))
  const plan = await client.unwind('full', QUEUE)
  const hash = await client.submitAll(plan)
  await dev.included(hash)
  await engine.followOnce()
  await dev.rpc('anvil_reorg', 1, [])
  await engine.settle()
  expect(await exitsOf(client)).toEqual([])
  expect(anyState((await client.operation(plan)).transactions[0]!)).toMatchObject({ status: 'pending' })
  engine.clock.advance(10_000)
  await checkPendingTransactions(engine.parts, engine.chain)
  await dev.included(hash)
  await engine.settle()
  expect(await client.operation(plan)).toMatchObject({ state: 'COMPLETED' })
  const [exit] = await exitsOf(client)
  expect(exit!.pending).toBeGreaterThan(399n * USDC)
  expect(await ledgerOf(client)).toMatchObject({ exiting: exit!.pending, available: 600n * USDC })
})

test('a reorganization that removes a claim leaves the exit claimable, and its bytes are paid once', async () => {
  const { client, dev, engine } = use
  await claimable(300n * USDC)
  const plan = await claim(client, COOLDOWN)
  const hash = await client.submitAll(plan)
  await dev.included(hash)
  await engine.followOnce()
  await dev.rpc('anvil_reorg', 1, [])
  await engine.settle()
  expect(await exitsOf(client)).toMatchObject([{ state: 'claimable', claimable: 299n * USDC, claimed: 0n }])
  expect(await ledgerOf(client)).toMatchObject({ available: 700n * USDC, exiting: 299n * USDC })
  engine.clock.advance(10_000)
  await checkPendingTransactions(engine.parts, engine.chain)
  await dev.included(hash)
  await engine.settle()
  expect(await exitsOf(client)).toMatchObject([{ state: 'claimed', claimed: 299n * USDC }])
  expect(await ledgerOf(client)).toMatchObject({ available: 999n * USDC, exiting: 0n })
})

test('of two processes that plan the same claim at once, one gets it', async () => {
  const { client } = use
  await claimable(300n * USDC)
  const plans = await Promise.allSettled([claim(client, COOLDOWN, 'reject'), claim(client, COOLDOWN, 'reject')])
  const [won] = plans.flatMap((plan) => (plan.status === 'fulfilled' ? [plan.value] : []))
  const lost = plans.flatMap((plan) => (plan.status === 'rejected' ? [plan.reason] : []))
  expect(lost).toMatchObject([{ code: 'OPERATION_IN_PROGRESS' }])
  await client.complete(won!)
  expect(await exitsOf(client)).toMatchObject([{ state: 'claimed', claimed: 299n * USDC }])
  expect(await client.usdc()).toBe(999n * USDC)
})

test('of two claims that supersede each other, one is paid, whichever bytes land', async () => {
  const { client } = use
  await claimable(300n * USDC)
  const first = await claim(client, COOLDOWN)
  const raw = await client.sign(first.transactions[0]!, { feePercent: 200n })
  const second = await claim(client, COOLDOWN)
  expect(second.cancelledOperations).toEqual([first.operationId])
  await use.dev.mineAtOnce(false)
  await client.submit(second, await signed(second))
  const hash = await use.dev.sendRaw(raw)
  await use.dev.mineAtOnce(true)
  await use.dev.included(hash)
  await use.engine.settle()
  // Both do the same: the landing belongs to the one that was not superseded.
  expect(await client.operation(first)).toMatchObject({ state: 'ABORTED', settledAmount: null })
  expect(await client.operation(second)).toMatchObject({ state: 'COMPLETED', settledAmount: 299n * USDC })
  expect(await exitsOf(client)).toMatchObject([{ state: 'claimed', claimed: 299n * USDC }])
  expect(await client.usdc()).toBe(999n * USDC)
})
