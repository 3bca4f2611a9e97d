// Also tests record-exit.ts, and settle-exits.ts of operations: one story, from request to claim.

import { type Address, encodeFunctionData, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { anyState } from '../../../testing/operations/any-state.ts'
import { BY_KEY } from '../../../testing/operations/requesters.ts'
import type { TestClient } from '../../../testing/operations/test-client.ts'
import { useEngine } from '../../../testing/operations/use-engine.ts'
import { USDC } from '../../../testing/units.ts'
import { utcDay } from '../../kernel/index.ts'
import { listPositionOperationViews, planClaim } from '../../operations/index.ts'
import { venueFor } from '../../venues/index.ts'
import { getEarnings } from '../earnings/get-earnings.ts'
import { listAllocations } from '../views/list-allocations.ts'

const DAY = 86_400
const QUEUE = 'erc7540:polygon:USDC'
const COOLDOWN = 'cooldown-vault:polygon:USDC'
const vaultAbi = parseAbi([
  'function requestRedeem(uint256 shares, address controller, address owner)',
  'function withdraw(uint256 assets, address receiver, address controller)',
  'function unstake(address receiver)',
])
const use = useEngine()

const claim = ({ scope, wallet }: TestClient, key: string) =>
  planClaim(use.engine.parts, {
    scope,
    walletId: wallet.walletId,
    strategyId: use.engine.strategy(key).id,
    requestedBy: BY_KEY,
  })

const exitsOf = ({ wallet }: TestClient) =>
  use.engine.db
    .selectFrom('exits')
    .select(['state', 'pending', 'claimable', 'requested', 'claimed', 'on_request'])
    .where('wallet_id', '=', wallet.walletId)
    .orderBy('id')
    .execute()

const ledgerOf = ({ wallet, usdcAddress }: TestClient) =>
  use.engine.db
    .selectFrom('ledger_balances')
    .select(['available', 'deployed', 'exiting', 'yield', 'external'])
    .where('wallet_id', '=', wallet.walletId)
    .where('token_address', '=', usdcAddress)
    .executeTakeFirstOrThrow()

const allocationOf = ({ wallet }: TestClient) =>
  use.engine.db
    .selectFrom('allocations')
    .select(['status', 'shares'])
    .where('wallet_id', '=', wallet.walletId)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()

const eventsOf = async ({ wallet }: TestClient) => {
  const rows = await use.engine.db
    .selectFrom('outbox')
    .select(['event', 'data'])
    .where('object_type', '=', 'exit')
    .orderBy('id')
    .execute()
  return rows.filter(({ data }) => data.walletId === wallet.walletId).map(({ event }) => event)
}

/** What the chain shows at the head, to compare the ledger with. */
async function onChain({ address }: TestClient, key: string) {
  const strategy = use.engine.strategy(key)
  const [reading] = await venueFor(strategy.protocol).exits!.read(use.engine.chain, [{ strategy, owner: address }])
  return reading!
}

async function later(seconds: number) {
  await use.dev.increaseTime(seconds)
  await use.engine.settle()
}

const outside = async (client: TestClient, key: string, data: `0x${string}`) => {
  await use.dev.included(await use.dev.call(client.account, use.engine.strategy(key).params.vault!, data))
  await use.engine.settle()
}

test('a cooldown is requested, waits as money that is neither deployed nor available, and is claimed when it is over', async () => {
  const { client } = use
  await client.complete(await client.supply(600n * USDC, COOLDOWN))
  const request = await client.complete(await client.unwind(250n * USDC, COOLDOWN))
  expect(request).toMatchObject({ state: 'COMPLETED', settledAmount: 250n * USDC })
  expect(request.transactions.map(({ kind }) => kind)).toEqual(['exit_request'])
  const waiting = { state: 'pending', pending: 250n * USDC, claimable: 0n, claimed: 0n, on_request: true }
  expect(await exitsOf(client)).toEqual([{ ...waiting, requested: 250n * USDC }])
  const ledger = await ledgerOf(client)
  expect(ledger).toMatchObject({ available: 400n * USDC, exiting: 250n * USDC })
  expect(ledger.deployed).toBeGreaterThan(349n * USDC)
  expect(await allocationOf(client)).toMatchObject({ status: 'ACTIVE' })
  await expect(claim(client, COOLDOWN)).rejects.toMatchObject({
    code: 'ALLOCATION_NOT_FOUND',
    details: { reason: 'nothing_claimable' },
  })

  await later(7 * DAY + 60)
  expect(await exitsOf(client)).toMatchObject([{ state: 'claimable', pending: 0n, claimable: 250n * USDC }])
  const claimed = await client.complete(await claim(client, COOLDOWN))
  expect(claimed).toMatchObject({ type: 'UNWIND', state: 'COMPLETED', amount: null, settledAmount: 250n * USDC })
  expect(await exitsOf(client)).toMatchObject([{ state: 'claimed', pending: 0n, claimable: 0n, claimed: 250n * USDC }])
  expect(await ledgerOf(client)).toMatchObject({ available: 650n * USDC, exiting: 0n })
  expect(await client.usdc()).toBe(650n * USDC)
  expect(await eventsOf(client)).toEqual(['exit.pending', 'exit.claimable', 'exit.claimed'])
})

test('a loss between request and claim is posted as a loss, and the allocation closes with the claim', async () => {
  const { client } = use
  await client.complete(await client.supply(500n * USDC, QUEUE))
  await client.complete(await client.unwind('full', QUEUE))
  const before = await ledgerOf(client)
  expect(before.deployed).toBe(0n)
  expect(before.exiting).toBe((await onChain(client, QUEUE)).pending)
  expect(await allocationOf(client)).toMatchObject({ status: 'UNWINDING', shares: 0n })

  await use.dev.setStrategyState(QUEUE, { lossBasisPoints: 300 })
  await later(2 * 3_600)
  const lost = await ledgerOf(client)
  expect(lost.exiting).toBe((await onChain(client, QUEUE)).pending)
  expect(before.exiting - lost.exiting).toBeGreaterThan(14n * USDC)
  expect(lost.external).toBe(before.external)
  const [position] = await use.engine.db
    .selectFrom('allocations')
    .select('realized_yield')
    .where('wallet_id', '=', client.wallet.walletId)
    .execute()
  const { data } = await use.engine.db
    .selectFrom('outbox')
    .select('data')
    .where('event', '=', 'allocation.loss_booked')
    .where('organization_id', '=', client.wallet.organizationId)
    .executeTakeFirstOrThrow()
  expect(data).toMatchObject({ realizedYield: position!.realized_yield.toString() })

  await use.dev.setStrategyState(QUEUE, { pendingExits: 'settle' })
  await use.engine.settle()
  const { claimable } = await onChain(client, QUEUE)
  expect(await exitsOf(client)).toMatchObject([{ state: 'claimable', pending: 0n, claimable }])
  const { settledAmount } = anyState(await client.complete(await claim(client, QUEUE)))
  expect(settledAmount).toBe(claimable)
  expect(await client.usdc()).toBe(500n * USDC + claimable)
  expect(await ledgerOf(client)).toMatchObject({ available: 500n * USDC + claimable, exiting: 0n, deployed: 0n })
  expect(await allocationOf(client)).toMatchObject({ status: 'CLOSED' })
})

test('what an exit loses on the next day counts for that day, and its allocation closes with the claim', async () => {
  const { client, engine } = use
  await client.complete(await client.supply(500n * USDC, QUEUE))
  await client.complete(await client.unwind('full', QUEUE))
  const { final_time: requestedAt } = await engine.db
    .selectFrom('chain_cursors')
    .select('final_time')
    .where('blockchain', '=', 'polygon')
    .executeTakeFirstOrThrow()
  const day = utcDay(requestedAt!)
  await later(DAY - (Math.floor(requestedAt!.getTime() / 1_000) % DAY) + 60)
  const earnings = async () => {
    const wallets = { walletId: client.wallet.walletId }
    const { history } = await getEarnings(engine.parts, client.scope, {
      wallets,
      blockchain: 'polygon',
      token: 'USDC',
      days: 3,
    })
    return new Map(history.map((of) => [of.day, of.yieldEarned]))
  }
  const before = await earnings()
  await use.dev.setStrategyState(QUEUE, { lossBasisPoints: 300 })
  await later(2 * 3_600)
  await use.dev.setStrategyState(QUEUE, { pendingExits: 'settle' })
  await engine.settle()
  const { operationId } = await client.complete(await claim(client, QUEUE))

  const { included_at: claimedAt } = await engine.db
    .selectFrom('transactions')
    .select('included_at')
    .where('operation_id', '=', operationId)
    .executeTakeFirstOrThrow()
  const { organizationId } = client.scope
  const { allocations } = await listAllocations(
    engine.db,
    organizationId,
    { statuses: ['CLOSED'], token: undefined, of: undefined },
    { limit: 1, offset: 0 },
  )
  const [allocation] = allocations
  expect(allocation).toMatchObject({ status: 'CLOSED', closedAt: claimedAt, lastUpdatedAt: claimedAt })
  const shown = await listPositionOperationViews(engine.parts, organizationId, allocation!)
  expect(shown.map((operation) => operation.operationId)).toContain(operationId)
  const after = await earnings()
  expect(after.get(day)).toBe(before.get(day))
  expect(after.get(utcDay(claimedAt!))).toBeLessThan(-14n * USDC)
})

test('what the owner requests and claims without Weir is posted the same, part by part', async () => {
  const { client } = use
  await client.complete(await client.supply(400n * USDC, QUEUE))
  const strategy = use.engine.strategy(QUEUE)
  const [shares] = await venueFor(strategy.protocol).shares(use.engine.chain, [{ strategy, owner: client.address }])
  const own = client.address as Address
  const request = (part: bigint) =>
    outside(client, QUEUE, encodeFunctionData({ abi: vaultAbi, functionName: 'requestRedeem', args: [part, own, own] }))
  await request(shares! / 4n)
  await use.dev.setStrategyState(QUEUE, { pendingExits: 'settle' })
  await request(shares! / 4n)
  const [both] = await exitsOf(client)
  const { pending, claimable } = await onChain(client, QUEUE)
  expect(both).toMatchObject({ state: 'claimable', pending, claimable, on_request: true })
  expect(pending).toBeGreaterThan(99n * USDC)
  expect((await ledgerOf(client)).external).toBe(-1_000n * USDC)

  const part = claimable / 2n
  await outside(client, QUEUE, encodeFunctionData({ abi: vaultAbi, functionName: 'withdraw', args: [part, own, own] }))
  expect(await exitsOf(client)).toMatchObject([{ state: 'claimable', claimable: claimable - part, claimed: part }])
  expect(await ledgerOf(client)).toMatchObject({ available: 600n * USDC + part })
  await client.complete(await claim(client, QUEUE))
  expect(await exitsOf(client)).toMatchObject([{ state: 'pending', claimable: 0n, claimed: claimable }])
  expect(await eventsOf(client)).toEqual(['exit.pending', 'exit.claimable', 'exit.pending'])
})

test('a claim that is paid to somebody else leaves the exit as external, never as a loss', async () => {
  const { client } = use
  await client.complete(await client.supply(300n * USDC, COOLDOWN))
  await client.complete(await client.unwind('full', COOLDOWN))
  await later(7 * DAY + 60)
  const before = await ledgerOf(client)
  const { lender } = use.dev.deployment
  await outside(client, COOLDOWN, encodeFunctionData({ abi: vaultAbi, functionName: 'unstake', args: [lender] }))
  await later(60)
  const after = await ledgerOf(client)
  expect(after).toMatchObject({ exiting: 0n, available: 700n * USDC, yield: before.yield })
  expect(after.external - before.external).toBe(before.exiting)
  expect(await exitsOf(client)).toMatchObject([{ state: 'claimed' }])
  expect(await allocationOf(client)).toMatchObject({ status: 'CLOSED' })
})

test('a vault without a cooldown pays at once, and an earlier exit can be claimed', async () => {
  const { client } = use
  await client.complete(await client.supply(300n * USDC, COOLDOWN))
  await client.complete(await client.unwind(100n * USDC, COOLDOWN))
  await use.dev.setStrategyState(COOLDOWN, { cooldownSeconds: 0 })
  await use.engine.settle()
  expect(await exitsOf(client)).toMatchObject([{ state: 'claimable', claimable: 100n * USDC }])
  const direct = await client.complete(await client.unwind('full', COOLDOWN))
  expect(direct.transactions.map(({ kind }) => kind)).toEqual(['unwind'])
  expect(await allocationOf(client)).toMatchObject({ status: 'UNWINDING', shares: 0n })
  await client.complete(await claim(client, COOLDOWN))
  expect(await allocationOf(client)).toMatchObject({ status: 'CLOSED' })
  // A vault rounds each movement by up to one base unit, in its own favor.
  expect(await client.usdc()).toBeGreaterThanOrEqual(1_000n * USDC - 3n)
  await use.dev.setStrategyState(COOLDOWN, { cooldownSeconds: 7 * DAY })
})

test('a deposit while all of the position is in an exit makes the allocation active again', async () => {
  const { client } = use
  await client.complete(await client.supply(200n * USDC, COOLDOWN))
  await client.complete(await client.unwind('full', COOLDOWN))
  await client.complete(await client.supply(100n * USDC, COOLDOWN))
  expect(await allocationOf(client)).toMatchObject({ status: 'ACTIVE' })
  expect((await ledgerOf(client)).exiting).toBe((await onChain(client, COOLDOWN)).pending)
})
