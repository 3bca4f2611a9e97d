// Requests and claims that land late, leave the chain, or are planned twice: nothing is lost, and nothing counts twice.
import { expect, test } from 'vitest'
import { anyState } from '../../../testing/operations/any-state.ts'
import { BY_KEY } from '../../../testing/operations/requesters.ts'
import type { TestClient } from '../../../testing/operations/test-client.ts'
import { useEngine } from '../../../testing/operations/use-engine.ts'
import { USDC } from '../../../testing/units.ts'
import { checkPendingTransactions, expireOverdue, type Operation, planClaim } from '../../operations/index.ts'

const DAY = 86_400
const QUEUE = 'erc7540:polygon:USDC'
const COOLDOWN = 'cooldown-vault:polygon:USDC'
const use = useEngine({ confirmations: 2 })

const claim = ({ scope, wallet }: TestClient, ifBusy?: 'reject') =>
  planClaim(use.engine.parts, {
    scope,
    walletId: wallet.walletId,
    strategyId: use.engine.strategy(COOLDOWN).id,
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

test('a request that lands after its operation expired is posted once, and completes the operation', async () => {
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

test('a claim that lands after its operation expired is posted once, and never planned again', async () => {
  const { client } = use
  await claimable(300n * USDC)
  const plan = await claim(client)
  const raw = await signed(plan)
  await expired(plan)
  const before = await ledgerOf(client)
  await use.dev.included(await use.dev.sendRaw(raw))
  // Its block is not final: the exit is still claimable in the books, not on the chain.
  expect(await exitsOf(client)).toMatchObject([{ state: 'claimable' }])
  await expect(claim(client)).rejects.toMatchObject({ code: 'ALLOCATION_NOT_FOUND' })
  await use.engine.settle()
  expect(await client.operation(plan)).toMatchObject({ state: 'COMPLETED', settledAmount: 299n * USDC })
  expect(await exitsOf(client)).toMatchObject([{ state: 'claimed', claimed: 299n * USDC }])
  const { external, yield: earned } = before
  expect(await ledgerOf(client)).toEqual({ available: 999n * USDC, exiting: 0n, external, yield: earned })
})

test('a reorganization that removes a request, then a claim, undoes each, and its bytes count once', async () => {
  const { client, dev, engine } = use
  /** Lets a plan land, removes its block, and lets the same bytes land again. */
  const landTwice = async (plan: Operation, between: () => Promise<void>) => {
    const hash = await client.submitAll(plan)
    await dev.included(hash)
    await engine.followOnce()
    await dev.rpc('anvil_reorg', 1, [])
    await engine.settle()
    expect(anyState((await client.operation(plan)).transactions[0]!)).toMatchObject({ status: 'pending' })
    await between()
    engine.clock.advance(10_000)
    await checkPendingTransactions(engine.parts, engine.chain)
    await dev.included(hash)
    await engine.settle()
    expect(await client.operation(plan)).toMatchObject({ state: 'COMPLETED' })
  }
  await client.complete(await client.supply(400n * USDC, COOLDOWN))
  await landTwice(await client.unwind(300n * USDC, COOLDOWN), async () => expect(await exitsOf(client)).toEqual([]))
  expect(await exitsOf(client)).toMatchObject([{ state: 'pending', pending: 300n * USDC, requested: 300n * USDC }])
  expect(await ledgerOf(client)).toMatchObject({ exiting: 300n * USDC, available: 600n * USDC })
  await dev.increaseTime(7 * DAY + 60)
  await engine.settle()
  await landTwice(await claim(client), async () => {
    expect(await exitsOf(client)).toMatchObject([{ state: 'claimable', claimable: 300n * USDC, claimed: 0n }])
    expect(await ledgerOf(client)).toMatchObject({ exiting: 300n * USDC, available: 600n * USDC })
  })
  expect(await exitsOf(client)).toMatchObject([{ state: 'claimed', claimed: 300n * USDC }])
  expect(await ledgerOf(client)).toMatchObject({ exiting: 0n, available: 900n * USDC })
})

test('one of two processes that plan the same claim at once gets it, and one of two plans is paid', async () => {
  const { client } = use
  await claimable(300n * USDC)
  const plans = await Promise.allSettled([claim(client, 'reject'), claim(client, 'reject')])
  const [first] = plans.flatMap((plan) => (plan.status === 'fulfilled' ? [plan.value] : []))
  const lost = plans.flatMap((plan) => (plan.status === 'rejected' ? [plan.reason] : []))
  expect(lost).toMatchObject([{ code: 'OPERATION_IN_PROGRESS' }])
  const raw = await client.sign(first!.transactions[0]!, { feePercent: 200n })
  const second = await claim(client)
  expect(second.cancelledOperations).toEqual([first!.operationId])
  await use.dev.mineAtOnce(false)
  await client.submit(second, await signed(second))
  const hash = await use.dev.sendRaw(raw)
  await use.dev.mineAtOnce(true)
  await use.dev.included(hash)
  await use.engine.settle()
  // Both do the same: the landing belongs to the one that was not superseded.
  expect(await client.operation(first!)).toMatchObject({ state: 'ABORTED', settledAmount: null })
  expect(await client.operation(second)).toMatchObject({ state: 'COMPLETED', settledAmount: 299n * USDC })
  expect(await exitsOf(client)).toMatchObject([{ state: 'claimed', claimed: 299n * USDC }])
  expect(await client.usdc()).toBe(999n * USDC)
})
