// A circuit breaker with `withdraw`, late requests and approvals that wait, where withdrawals take time.
import { encodeFunctionData, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { expectLedgerMatchesChain, expectValidLedger } from '../../testing/expect-ledger.ts'
import { createTestAgent } from '../../testing/test-agent.ts'
import { USDC } from '../../testing/units.ts'
import { type RebalancedWallet, useRebalancer } from '../../testing/use-rebalancer.ts'
import { evaluateBreakers, setBreakerSettings } from '../breakers/index.ts'
import { refreshRiskFacts } from '../venues/index.ts'

const QUEUE = 'erc7540:polygon:USDC'
const COOLDOWN = 'cooldown-vault:polygon:USDC'
const vaultAbi = parseAbi(['function cooldownAssets(uint256 assets)'])

const rebalancer = useRebalancer()
const { fundedClient, monitor, change, evaluateAll, operationsOf } = rebalancer

/** A wallet with positions, a buffer of the rest, and no deposits of its own. */
async function deployed(positions: Readonly<Record<string, bigint>>): Promise<RebalancedWallet> {
  const client = await fundedClient()
  let left = 1_000n * USDC
  for (const [key, amount] of Object.entries(positions)) {
    await client.complete(await client.supply(amount, key))
    left -= amount
  }
  const use = await monitor(client, left)
  await change(use, { enableYield: false })
  return use
}

/** Evaluates, and lets the agent carry out what was planned. */
async function next(use: RebalancedWallet) {
  await evaluateAll()
  const [planned] = (await operationsOf(use)).filter(({ state }) => state === 'EXECUTING')
  if (!planned) return undefined
  const operation = await use.client.operation({ operationId: planned.id })
  const done = await createTestAgent(rebalancer.engine, use.client).carryOut(operation)
  expect(done.state).toBe('COMPLETED')
  return { kind: done.transactions[0]!.kind, settled: done.settledAmount }
}

const exitOf = ({ client }: RebalancedWallet) =>
  rebalancer.engine.db.selectFrom('exits').selectAll().where('wallet_id', '=', client.wallet.walletId).execute()

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

test('a breaker that withdraws requests all of a position once, and claims it, whatever the buffer needs', async () => {
  const use = await deployed({ [QUEUE]: 300n * USDC, [COOLDOWN]: 200n * USDC })
  await offPeg(use, async () => {
    expect(await next(use)).toMatchObject({ kind: 'exit_request' })
    expect(await next(use)).toMatchObject({ kind: 'exit_request' })
    const [one, other] = await exitOf(use)
    const cents = [one!.pending, other!.pending].map((amount) => (amount + 5_000n) / 10_000n)
    expect(new Set(cents)).toEqual(new Set([20_000n, 30_000n]))
    expect(await next(use)).toBeUndefined()
    await rebalancer.dev.setStrategyState(QUEUE, { pendingExits: 'settle' })
    await rebalancer.dev.increaseTime(7 * 86_400 + 60)
    await rebalancer.engine.settle()
    expect(await next(use)).toMatchObject({ kind: 'exit_claim' })
    expect(await next(use)).toMatchObject({ kind: 'exit_claim' })
    expect(await next(use)).toBeUndefined()
    expect((await exitOf(use)).map(({ state }) => state)).toEqual(['claimed', 'claimed'])
    expect(((await use.client.usdc()) + 5_000n) / 10_000n).toBe(100_000n)
  })
  await expectValidLedger(rebalancer.engine)
  await expectLedgerMatchesChain(rebalancer.engine)
})

test('a breaker that withdraws does not start a cooldown again', async () => {
  const use = await deployed({ [COOLDOWN]: 400n * USDC })
  await use.client.complete(await use.client.unwind(100n * USDC, COOLDOWN))
  const [before] = await exitOf(use)
  await offPeg(use, async () => {
    expect(await next(use)).toBeUndefined()
    expect(await exitOf(use)).toMatchObject([{ claimable_at: before!.claimable_at, pending: 100n * USDC }])
  })
})

test('a request that is in a block and not final yet is not requested again', async () => {
  const use = await deployed({ [COOLDOWN]: 400n * USDC })
  const { client } = use
  const { dev, engine } = rebalancer
  const vault = engine.strategy(COOLDOWN).params.vault!
  const data = encodeFunctionData({ abi: vaultAbi, functionName: 'cooldownAssets', args: [100n * USDC] })
  await dev.included(await dev.call(client.account, vault, data))
  await change(use, { buffer: 700n * USDC })
  await evaluateAll()
  expect((await operationsOf(use)).filter(({ state }) => state === 'EXECUTING')).toEqual([])
  await engine.settle()
  expect(await exitOf(use)).toMatchObject([{ state: 'pending', pending: 100n * USDC }])
  expect(await next(use)).toBeUndefined()
})

test('a request that waits is dropped when the owner has requested the money meanwhile', async () => {
  const use = await deployed({ [COOLDOWN]: 400n * USDC })
  const { client } = use
  const { dev, engine } = rebalancer
  await change(use, { buffer: 700n * USDC })
  await evaluateAll()
  expect(await operationsOf(use)).toMatchObject([{ state: 'EXECUTING', type: 'UNWIND' }])
  const vault = engine.strategy(COOLDOWN).params.vault!
  const data = encodeFunctionData({ abi: vaultAbi, functionName: 'cooldownAssets', args: [100n * USDC] })
  await dev.included(await dev.call(client.account, vault, data))
  await engine.settle()
  expect(await createTestAgent(engine, client).poll()).toBeUndefined()
  expect(await operationsOf(use)).toMatchObject([{ state: 'ABORTED' }])
  expect(await exitOf(use)).toMatchObject([{ state: 'pending', pending: 100n * USDC }])
})

test('a buffer is short, not unfunded, while all that could fill it is on its way', async () => {
  const use = await deployed({ [COOLDOWN]: 400n * USDC })
  await use.client.complete(await use.client.unwind('full', COOLDOWN))
  await change(use, { buffer: 700n * USDC })
  expect(await next(use)).toBeUndefined()
  expect((await rebalancer.rowOf(use)).short_since).not.toBeNull()
})
