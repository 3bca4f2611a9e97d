// What such a vault announces, and what a plan makes of it: `venues/erc4626/fees.test.ts`.
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { beforeEach, expect, test } from 'vitest'
import { createTestAgent } from '../../testing/agents/test-agent.ts'
import { BY_KEY } from '../../testing/operations/requesters.ts'
import { useRebalancer } from '../../testing/rebalancing/use-rebalancer.ts'
import { USDC } from '../../testing/units.ts'
import { deployFeeVault, type VaultFees } from '../../testing/venues/fee-vault.ts'
import { evmCall } from '../chains/index.ts'
import { refreshRates } from '../venues/index.ts'
import { allocate } from './allocate.ts'
import { previewRebalance } from './preview-rebalance.ts'

const AAVE = 'aave-v3:polygon:USDC'
const VAULT = 'erc4626:polygon:USDC'

const rebalancer = useRebalancer()
const { change, deployed, evaluateAll, fundedClient, monitor, next, operationsOf } = rebalancer
let charge: (fees: VaultFees) => Promise<void>

/** Puts a vault with fees in the place of the listed one. */
beforeEach(async () => {
  const { dev, engine } = rebalancer
  const { id, tokenAddress } = engine.strategy(VAULT)
  const key = generatePrivateKey()
  const account = privateKeyToAccount(key)
  await dev.rpc('anvil_setBalance', account.address, '0x56bc75e2d63100000')
  const { vault, charging } = await deployFeeVault(dev.url, key, tokenAddress)
  const params = JSON.stringify({ vault })
  await engine.db.updateTable('strategies').set({ params }).where('id', '=', id).execute()
  await engine.db.deleteFrom('strategy_prices').where('strategy_id', '=', id).execute()
  charge = async (fees) => {
    const { to, data } = evmCall(charging(fees))
    await dev.included(await dev.call(account, to, data as `0x${string}`))
  }
})

async function only(apys: Readonly<Record<string, number>>): Promise<void> {
  const { db } = rebalancer.engine
  await db.updateTable('strategies').set({ status: 'paused' }).execute()
  for (const [key, apy] of Object.entries(apys))
    await db.updateTable('strategies').set({ status: 'active', apy }).where('key', '=', key).execute()
}
const idOf = (key: string) => rebalancer.engine.strategy(key).id

test.each([
  ['announces', false, 'it keeps 10.00% of each deposit as a fee'],
  ['conceals', true, 'SIMULATION_FAILED'],
])(
  'a deposit into a vault that %s a fee goes to the next best strategy in the same pass',
  async (_what, concealed, reason) => {
    await charge({ entry: 1_000, concealed })
    const use = await monitor(await fundedClient(), 100n * USDC)
    await only({ [VAULT]: 0.05, [AAVE]: 0.04 })
    await evaluateAll()
    const [operation, ...more] = await operationsOf(use)
    expect(more).toEqual([])
    expect(operation).toMatchObject({ type: 'SUPPLY', strategy_id: idOf(AAVE), amount: 900n * USDC })
    const { weighed } = operation!.reasons as { weighed: { strategyId: number; verdict: string }[] }
    expect(weighed.find(({ strategyId }) => strategyId === idOf(VAULT))?.verdict).toContain(reason)
  },
)

test('a fee that a vault raises after the plan keeps the deposit from its agent', async () => {
  const { engine } = rebalancer
  const use = await monitor(await fundedClient(), 100n * USDC)
  await only({ [VAULT]: 0.05 })
  await evaluateAll()
  expect(await operationsOf(use)).toMatchObject([{ strategy_id: idOf(VAULT), state: 'EXECUTING' }])
  await charge({ entry: 1_000 })
  expect(await createTestAgent(engine, use.client).poll()).toBeUndefined()
})

test.each([
  ['chosen by Weir keeps the deposit from its agent', undefined, false],
  ['named by the caller does not', VAULT, true],
])('a fee that is raised after a requested deployment into a vault %s', async (_what, named, isGivenOut) => {
  const { engine, parts } = rebalancer
  const client = await fundedClient()
  const { wallet: opWallet } = await monitor(client, 1_000n * USDC)
  await change({ client, wallet: opWallet }, { enableYield: false, buffer: 0n })
  await only({ [VAULT]: 0.05 })
  const strategyId = named === undefined ? undefined : idOf(named)
  const input = { opWallet, wallet: client.wallet, amount: 300n * USDC, strategyId, requestedBy: BY_KEY }
  expect((await allocate(parts, input)).strategy.id).toBe(idOf(VAULT))
  await charge({ entry: 1_000 })
  expect((await createTestAgent(engine, client).poll()) !== undefined).toBe(isGivenOut)
})

test('a requested deployment avoids the fee where Weir chooses the strategy', async () => {
  const { parts } = rebalancer
  await charge({ entry: 1_000 })
  const client = await fundedClient()
  const { wallet: opWallet } = await monitor(client, 1_000n * USDC)
  await change({ client, wallet: opWallet }, { enableYield: false, buffer: 0n })
  await only({ [VAULT]: 0.05, [AAVE]: 0.04 })
  const input = { opWallet, wallet: client.wallet, amount: 300n * USDC, requestedBy: BY_KEY }
  expect((await allocate(parts, input)).strategy.id).toBe(idOf(AAVE))
})

test('a refill takes no more of a position than the vault announces, and another pays it', async () => {
  const use = await deployed({ [VAULT]: 500n * USDC, [AAVE]: 300n * USDC })
  await charge({ exit: 2_000, concealed: true })
  await only({ [VAULT]: 0.01, [AAVE]: 0.04 })
  await change(use, { buffer: 300n * USDC })
  expect(await next(use)).toMatchObject({ strategyId: idOf(AAVE), settled: 100n * USDC })
})

test('a refill prefers strategies without a fee, and pays the fee for what no other can pay', async () => {
  const { engine, parts } = rebalancer
  const use = await deployed({ [VAULT]: 500n * USDC, [AAVE]: 300n * USDC })
  await charge({ exit: 2_000 })
  await refreshRates(engine.parts, engine.chain)
  await only({ [VAULT]: 0.01, [AAVE]: 0.04 })
  await change(use, { buffer: 600n * USDC })
  const { moves } = await previewRebalance(parts, { opWallet: { ...use.wallet, buffer: 600n * USDC } })
  expect(moves.map(({ strategyId, worth }) => [strategyId, worth])).toEqual([
    [idOf(AAVE), expect.anything()],
    [idOf(VAULT), expect.anything()],
  ])
  expect(moves[1]!.why).toContain('It keeps 20.00% of it as a fee.')
  expect(await next(use)).toMatchObject({ strategyId: idOf(AAVE) })
  expect(await next(use)).toMatchObject({ strategyId: idOf(VAULT) })
  const { balance } = await onHand(use)
  expect(balance).toBeGreaterThanOrEqual(600n * USDC - 1n)
})

test('what a vault announces shows in the preview before any refusal, and warns who names it', async () => {
  const { engine, parts } = rebalancer
  await charge({ entry: 1_000 })
  await refreshRates(engine.parts, engine.chain)
  const use = await monitor(await fundedClient(), 100n * USDC)
  await only({ [VAULT]: 0.05, [AAVE]: 0.04 })
  const { weighed } = await previewRebalance(parts, { opWallet: use.wallet })
  expect(weighed.find(({ strategyId }) => strategyId === idOf(VAULT))?.verdict).toBe(
    'it keeps 10.00% of each deposit as a fee',
  )
  const { wallet: opWallet, client } = use
  const input = { opWallet, wallet: client.wallet, amount: 300n * USDC, strategyId: idOf(VAULT), requestedBy: BY_KEY }
  expect((await allocate(parts, input)).warnings).toEqual(['The strategy keeps 10.00% of each deposit as a fee.'])
})

async function onHand({ client }: Awaited<ReturnType<typeof monitor>>): Promise<{ balance: bigint }> {
  const [balance = 0n] = await rebalancer.engine.chain.balances([
    { owner: client.wallet.address, token: client.usdcAddress },
  ])
  return { balance }
}
