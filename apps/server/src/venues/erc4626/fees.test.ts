// What the rebalancer makes of such vaults: `rebalancing/vault-fees.test.ts`.
import type { Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { answering } from '../../../testing/venues/answering.ts'
import { deployFeeVault, type FeeVault, type VaultFees } from '../../../testing/venues/fee-vault.ts'
import { addressOf, callsOf, type Market, startMarket } from '../../../testing/venues/market.ts'
import type { PlanStep, Strategy } from '../port.ts'
import { erc4626 } from './index.ts'

const UNIT = 1_000_000n
const ENTRY_FEE = {
  code: 'STRATEGY_NOT_ACTIVE',
  message: 'The vault keeps a part of each deposit as a fee.',
  details: { reason: 'entry_fee' },
}

let market: Market
let key: Hex
let strategy: Strategy
let fees: FeeVault

beforeAll(async () => {
  market = await startMarket('polygon')
  const listed = market.strategy('erc4626:polygon:USDC')
  key = await market.wallet(listed, 100_000n * UNIT)
  fees = await deployFeeVault(market.devnet.url, key, listed.tokenAddress)
  strategy = { ...listed, params: { vault: fees.vault } }
  const steps = await plan()
  await market.send(key, callsOf(steps))
})
beforeEach(() => charge({}))
afterAll(() => market.stop())

const charge = (what: VaultFees) => market.send(key, [fees.charging(what)])
function plan({ isOwnChoice = true, chain = market.chain, amount = 1_000n * UNIT } = {}): Promise<PlanStep[]> {
  const supply = { strategy, owner: addressOf(key), amount, needsZeroAllowance: false, isOwnChoice }
  return erc4626.planSupply(chain, supply)
}
/** What the last step returns now, beside what it must return. */
async function returned(steps: readonly PlanStep[]): Promise<{ readonly found: bigint; readonly step: PlanStep }> {
  const simulated = await market.chain.simulate(addressOf(key), callsOf(steps))
  expect(simulated.ok).toBe(true)
  return { found: (simulated.ok ? simulated.returned : undefined)!.at(-1)!, step: steps.at(-1)! }
}
async function unwind(amount: bigint | 'full', isOwn = true): Promise<PlanStep[]> {
  const owner = addressOf(key)
  const [position] = await erc4626.positions(market.chain, [{ strategy, owner }])
  const { shares, price } = position!
  const worth = erc4626.valueOf(shares, price)
  return erc4626.planUnwind(market.chain, { strategy, owner, amount, shares, ...(isOwn && { worth }) })
}

test('a deposit that the vault announces to shrink is refused where Weir chose the vault, and planned for anybody else', async () => {
  await charge({ entry: 1_000 })
  await expect(plan()).rejects.toMatchObject(ENTRY_FEE)
  const { step } = await returned(await plan({ isOwnChoice: false }))
  expect(step).not.toHaveProperty('returnsAtLeast')
})

test('a fee below what a vault may keep of a deposit stops none', async () => {
  await charge({ entry: 9 })
  const { found, step } = await returned(await plan())
  expect(found).toBeGreaterThanOrEqual(step.returnsAtLeast!)
  await charge({ entry: 11 })
  await expect(plan()).rejects.toMatchObject(ENTRY_FEE)
})

test('rounding of small deposits stops none', async () => {
  for (const amount of [1n, 3n, UNIT]) {
    const { found, step } = await returned(await plan({ amount }))
    expect(found).toBeGreaterThanOrEqual(step.returnsAtLeast!)
  }
})

test('a deposit fee that the vault conceals, or has no function to announce, shows in the simulation', async () => {
  await charge({ entry: 1_000, concealed: true })
  const concealed = await returned(await plan())
  expect(concealed.found).toBeLessThan(concealed.step.returnsAtLeast!)
  await charge({ entry: 1_000 })
  const silent = await returned(await plan({ chain: answering(market.chain, { previewDeposit: () => undefined }) }))
  expect(silent.found).toBeLessThan(silent.step.returnsAtLeast!)
})

test('a withdrawal of an amount may take the shares that the vault announces', async () => {
  for (const exit of [0, 2_000]) {
    await charge({ exit })
    const { found, step } = await returned(await unwind(100n * UNIT))
    expect(found).toBeLessThanOrEqual(step.returnsAtMost!)
    expect(step.returnsAtMost! - found).toBeLessThanOrEqual(found / 5_000n)
  }
})

test('a withdrawal of an amount that takes more shares than the vault announces is over its bound', async () => {
  await charge({ exit: 2_000, concealed: true })
  const { found, step } = await returned(await unwind(100n * UNIT))
  expect(found).toBeGreaterThan(step.returnsAtMost!)
  expect((await unwind(100n * UNIT, false)).at(-1)).not.toHaveProperty('returnsAtMost')
})

test('a withdrawal of everything pays what the vault announces, and no less', async () => {
  await charge({ exit: 2_000 })
  const told = await returned(await unwind('full'))
  expect(told.found).toBeGreaterThanOrEqual(told.step.returnsAtLeast!)
  await charge({ exit: 2_000, concealed: true })
  const concealed = await returned(await unwind('full'))
  expect(concealed.found).toBeLessThan(concealed.step.returnsAtLeast!)
})

test('rates have the fees that a vault announces, and none of one that answers nothing', async () => {
  const rates = async (chain = market.chain) => (await erc4626.rates(chain, [{ strategy, past: undefined }]))[0]!
  expect(await rates()).toMatchObject({ entryFeeBps: 0, exitFeeBps: 0 })
  await charge({ entry: 1_000, exit: 250 })
  expect(await rates()).toMatchObject({ entryFeeBps: 1_000, exitFeeBps: 250 })
  const silent = await rates(answering(market.chain, { previewDeposit: () => undefined, previewRedeem: () => 0n }))
  expect(silent).not.toHaveProperty('entryFeeBps')
  expect(silent).not.toHaveProperty('exitFeeBps')
})
