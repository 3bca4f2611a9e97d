// A circuit breaker with `withdraw`, late requests and approvals that wait, where withdrawals take time.
import { encodeFunctionData, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { createTestAgent } from '../../testing/agents/test-agent.ts'
import { expectLedgerMatchesChain, expectValidLedger } from '../../testing/ledger/expect-ledger.ts'
import { type RebalancedWallet, useRebalancer } from '../../testing/rebalancing/use-rebalancer.ts'
import { USDC } from '../../testing/units.ts'
import { evaluateBreakers, setBreakerSettings } from '../breakers/index.ts'
import { Failure } from '../kernel/index.ts'
import { refreshRiskFacts } from '../venues/index.ts'
import { evaluateDueWallets } from './evaluate-due-wallets.ts'

const QUEUE = 'erc7540:polygon:USDC'
const COOLDOWN = 'cooldown-vault:polygon:USDC'
const vaultAbi = parseAbi([
  'function cooldownAssets(uint256 assets)',
  'function cooldownShares(uint256 shares)',
  'function requestRedeem(uint256 shares, address controller, address owner)',
])

const rebalancer = useRebalancer()
const { deployed, change, evaluateAll, next, operationsOf } = rebalancer

/** The owner calls a vault without Weir. */
async function outside({ client }: RebalancedWallet, key: string, call: OwnRequest): Promise<void> {
  const { dev, engine } = rebalancer
  const data = encodeFunctionData({ abi: vaultAbi, ...call } as Parameters<typeof encodeFunctionData>[0])
  await dev.included(await dev.call(client.account, engine.strategy(key).params.vault!, data))
}

interface OwnRequest {
  readonly functionName: 'cooldownAssets' | 'cooldownShares' | 'requestRedeem'
  readonly args: readonly unknown[]
}

async function sharesOf({ client }: RebalancedWallet): Promise<bigint> {
  const open = rebalancer.engine.db.selectFrom('allocations').select('shares').where('status', '<>', 'CLOSED')
  return (await open.where('wallet_id', '=', client.wallet.walletId).executeTakeFirstOrThrow()).shares
}

/** Rounded: vaults round each movement by a base unit. */
const cents = (amount: bigint) => (amount + 5_000n) / 10_000n

const exitOf = ({ client }: RebalancedWallet) =>
  rebalancer.engine.db
    .selectFrom('exits')
    .selectAll()
    .where('wallet_id', '=', client.wallet.walletId)
    .orderBy('id')
    .execute()

/** USDC is off its peg, with a breaker that withdraws, until `work` is done. */
async function offPeg(use: RebalancedWallet, work: () => Promise<void>): Promise<void> {
  const { engine, dev } = rebalancer
  const settings = {
    priceFallBps: null,
    pegDistanceBps: 200,
    withdrawableShareBps: null,
    onUpgrade: false,
    withdraw: true,
    recoverySeconds: 60,
  }
  await setBreakerSettings(engine.parts, { organizationId: use.wallet.organizationId, settings })
  await dev.setStrategyState(QUEUE, { tokenPrice: 88_000_000n })
  await refreshRiskFacts(engine.parts, engine.chain)
  await evaluateBreakers(engine.parts)
  try {
    await work()
  } finally {
    await dev.setStrategyState(QUEUE, { tokenPrice: 100_000_000n })
    await refreshRiskFacts(engine.parts, engine.chain)
  }
}

test('a breaker that withdraws requests and claims all of each position, once, and delays nothing that waits', async () => {
  const use = await deployed({ [QUEUE]: 300n * USDC, [COOLDOWN]: 200n * USDC })
  await use.client.complete(await use.client.unwind(50n * USDC, COOLDOWN))
  const [asked] = await exitOf(use)
  await offPeg(use, async () => {
    expect(await next(use)).toMatchObject({ kind: 'exit_request', settled: expect.any(BigInt) })
    expect(await next(use)).toBeUndefined()
    const [cooling, queued] = await exitOf(use)
    expect(cooling).toMatchObject({ claimable_at: asked!.claimable_at, pending: 50n * USDC })
    expect(cents(queued!.pending)).toBe(30_000n)
    await rebalancer.dev.setStrategyState(QUEUE, { pendingExits: 'settle' })
    await rebalancer.dev.increaseTime(7 * 86_400 + 60)
    await rebalancer.engine.settle()
    expect(await next(use)).toMatchObject({ kind: 'exit_claim' })
    expect(await next(use)).toMatchObject({ kind: 'exit_claim' })
    expect(cents(await use.client.usdc())).toBe(85_000n)
    const rest = await next(use)
    expect(rest).toMatchObject({ kind: 'exit_request' })
    expect(rest!.settled).toBeGreaterThan(150n * USDC)
    expect(await next(use)).toBeUndefined()
  })
  await expectValidLedger(rebalancer.engine)
  await expectLedgerMatchesChain(rebalancer.engine)
})

test('a request that is not final yet is not requested again, and the buffer that waits for it counts as short', async () => {
  const use = await deployed({ [COOLDOWN]: 400n * USDC })
  const { engine } = rebalancer
  await outside(use, COOLDOWN, { functionName: 'cooldownAssets', args: [390n * USDC] })
  await change(use, { buffer: 700n * USDC })
  expect(await next(use)).toBeUndefined()
  await engine.settle()
  expect(await exitOf(use)).toMatchObject([{ state: 'pending', pending: 390n * USDC }])
  expect(await next(use)).toBeUndefined()
  await outside(use, COOLDOWN, { functionName: 'cooldownShares', args: [await sharesOf(use)] })
  await engine.settle()
  await change(use, { buffer: 701n * USDC })
  expect(await next(use)).toBeUndefined()
  expect((await rebalancer.rowOf(use)).short_since).not.toBeNull()
})

test('while what is on its way cannot be read, nothing is requested', async () => {
  const use = await deployed({ [COOLDOWN]: 400n * USDC })
  const { engine, parts } = rebalancer
  const unreadable = {
    ...engine.chain,
    multicall: async (...asked: Parameters<typeof engine.chain.multicall>) => {
      if (asked[0].some(({ functionName }) => functionName === 'cooldowns')) throw new Failure('CHAIN_UNAVAILABLE')
      return engine.chain.multicall(...asked)
    },
  }
  await change(use, { buffer: 700n * USDC })
  engine.clock.advance(1)
  await evaluateDueWallets({ ...parts, chains: new Map([['polygon', unreadable]]) })
  expect(await operationsOf(use)).toEqual([])
  await change(use, { buffer: 701n * USDC })
  await evaluateAll()
  expect(await operationsOf(use)).toMatchObject([{ state: 'EXECUTING', type: 'UNWIND' }])
})

test('a waiting request is dropped when the money was requested meanwhile, or when it would delay an earlier request', async () => {
  const { engine } = rebalancer
  for (const key of [QUEUE, COOLDOWN]) {
    const use = await deployed({ [key]: 400n * USDC })
    await change(use, { buffer: 700n * USDC })
    await evaluateAll()
    expect(await operationsOf(use)).toMatchObject([{ state: 'EXECUTING', type: 'UNWIND' }])
    const own = use.client.address
    if (key === COOLDOWN) await outside(use, key, { functionName: 'cooldownAssets', args: [10n * USDC] })
    else
      await outside(use, key, { functionName: 'requestRedeem', args: [((await sharesOf(use)) * 3n) / 10n, own, own] })
    await engine.settle()
    expect(await createTestAgent(engine, use.client).poll()).toBeUndefined()
    expect(await operationsOf(use)).toMatchObject([{ state: 'ABORTED' }])
    expect(cents((await exitOf(use))[0]!.pending)).toBe(key === COOLDOWN ? 1_000n : 12_000n)
  }
})

test('a waiting request is dropped when another vault was asked outside Weir, in a block that is not settled', async () => {
  const use = await deployed({ [QUEUE]: 400n * USDC, [COOLDOWN]: 400n * USDC })
  const { engine } = rebalancer
  await change(use, { buffer: 400n * USDC })
  await evaluateAll()
  const [request] = await operationsOf(use)
  expect(request).toMatchObject({ state: 'EXECUTING', type: 'UNWIND' })
  const { strategy_id: asked } = await engine.db
    .selectFrom('operations')
    .select('strategy_id')
    .where('id', '=', request!.id)
    .executeTakeFirstOrThrow()
  const own = use.client.address
  if (asked === engine.strategy(QUEUE).id)
    await outside(use, COOLDOWN, { functionName: 'cooldownAssets', args: [300n * USDC] })
  else await outside(use, QUEUE, { functionName: 'requestRedeem', args: [((await sharesOf(use)) * 3n) / 4n, own, own] })
  expect(await createTestAgent(engine, use.client).poll()).toBeUndefined()
  expect(await operationsOf(use)).toMatchObject([{ state: 'ABORTED' }])
})

test('a claim that is left out starts no cooldown again: neither for the buffer nor for a breaker', async () => {
  const use = await deployed({ [COOLDOWN]: 500n * USDC })
  const { engine, dev } = rebalancer
  await change(use, { buffer: 600n * USDC })
  expect(await next(use)).toMatchObject({ kind: 'exit_request', settled: 100n * USDC })
  await dev.increaseTime(7 * 86_400 + 60)
  await engine.settle()
  await change(use, { buffer: 800n * USDC })
  await evaluateAll()
  const agent = createTestAgent(engine, use.client)
  await agent.failed(await agent.pollRequired(), { error: 'VENUE_NOT_LISTED: the venue is not on the list' })
  await evaluateAll()
  expect(await operationsOf(use)).toMatchObject([{ state: 'COMPLETED' }, { state: 'FAILED' }])
  await offPeg(use, async () => {
    await evaluateAll()
    expect(await operationsOf(use)).toMatchObject([{ state: 'COMPLETED' }, { state: 'FAILED' }])
    engine.clock.advance(60_000)
    expect(await next(use)).toMatchObject({ kind: 'exit_claim', settled: 100n * USDC })
    expect(await next(use)).toMatchObject({ kind: 'exit_request' })
  })
})

test('a claim that is left out keeps no other strategy from being asked for what the buffer lacks', async () => {
  const use = await deployed({ [QUEUE]: 300n * USDC, [COOLDOWN]: 400n * USDC })
  const { engine, dev } = rebalancer
  await use.client.complete(await use.client.unwind(100n * USDC, QUEUE))
  await dev.setStrategyState(QUEUE, { pendingExits: 'settle' })
  await engine.settle()
  await change(use, { buffer: 400n * USDC })
  await evaluateAll()
  const agent = createTestAgent(engine, use.client)
  await agent.failed(await agent.pollRequired(), { error: 'VENUE_NOT_LISTED: the venue is not on the list' })
  expect(await next(use)).toMatchObject({ kind: 'exit_request' })
  expect(await operationsOf(use)).toMatchObject([{ state: 'FAILED' }, { state: 'COMPLETED' }])
})

test('a waiting request is dropped when it would start a cooldown again that ended meanwhile, save for a crumb', async () => {
  const { engine, dev } = rebalancer
  for (const [waits, state] of [
    [10n * USDC, 'ABORTED'],
    [9_000n, 'COMPLETED'],
  ] as const) {
    const use = await deployed({ [COOLDOWN]: 400n * USDC })
    await change(use, { buffer: 700n * USDC })
    await evaluateAll()
    await outside(use, COOLDOWN, { functionName: 'cooldownAssets', args: [waits] })
    await dev.increaseTime(7 * 86_400 + 60)
    await engine.settle()
    const agent = createTestAgent(engine, use.client, rebalancer.parts)
    const [request] = await operationsOf(use)
    if (state === 'COMPLETED') await agent.carryOut(await use.client.operation({ operationId: request!.id }))
    else expect(await agent.poll()).toBeUndefined()
    expect(await operationsOf(use)).toMatchObject([{ state }])
  }
})
