import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../../testing/until.ts'
import type { Strategy } from '../clients/api-types.ts'
import { expectIssues, expectRefusal } from '../clients/expect-refusal.ts'
import { createFundedWalletClient, type WalletClient } from '../clients/wallet-client.ts'
import { type System, startSystem } from '../service/start-system.ts'

const USDC = 1_000_000n
const DAY = 86_400

interface Yield {
  readonly days: number
  readonly base: string | null
  readonly reward: string | null
  readonly from: string | null
}

let system: System
let comet: Strategy
let holder: WalletClient
beforeAll(async () => {
  system = await startSystem()
  comet = await system.strategy('polygon', 'Comet USDC')
  holder = await createFundedWalletClient(system.profile, 'polygon', 10_000n * USDC)
  await holder.supply(comet, 10_000n * USDC)
})
afterAll(() => system?.stop())

const yieldsOf = async ({ strategyId }: Strategy) =>
  (await system.organization.get<{ data: { yields: Yield[] } }>(`/api/core/strategy-risks/${strategyId}`)).body.data
    .yields
const rewardsOf = async (strategy: Strategy) => (await yieldsOf(strategy)).map(({ reward }) => reward)
const setRewards = ({ strategyId }: Strategy, rewardBps: number) =>
  system.profile.post<{ rewardBps?: number }>(`/v1/sandbox/strategies/${strategyId}/state`, { rewardBps })
/** Returns the time of the chains. */
async function advance(days: number): Promise<number> {
  const { status, text, body } = await system.profile.post<{ now: string }>('/v1/sandbox/advance-time', {
    seconds: days * DAY,
  })
  expect(status, text).toBe(200)
  return Date.parse(body.now) / 1_000
}
/** By hand: a tenth of the deposits a year for 31 days, a hundredth before. A reward token is worth a dollar. */
function rateBy(now: number, from: string | null): number {
  const days = (now - Date.parse(from!) / 1_000) / DAY
  const gain = (0.1 * Math.min(days, 31) + 0.01 * Math.max(days - 31, 0)) / 365
  return ((1 + gain) ** (365 / days) - 1) * 100
}
const percent = (text: string | null | undefined) => Number(text?.replace('%', ''))

test('a month of rewards shows the rate that they pay, beside an APY and money that do not contain it', async () => {
  expect(await rewardsOf(comet), 'no past').toEqual([null, null, null])
  const before = await system.strategy('polygon', 'Comet USDC')
  expect((await setRewards(comet, 1_000)).body).toMatchObject({ rewardBps: 1_000 })
  const now = await advance(31)
  await until(async () => (await rewardsOf(comet)).every((reward) => reward !== null))

  const yields = await yieldsOf(comet)
  expect(yields.map(({ days }) => days)).toEqual([1, 7, 30])
  for (const { days, reward, base, from } of yields) {
    expect(reward).toMatch(/^\d+\.\d\d%$/)
    expect(percent(reward), `${days} days`).toBeCloseTo(rateBy(now, from), 1)
    expect(percent(base), 'the share price alone').toBeLessThan(2.5)
  }

  // The rate before may be from before the holder's deposit, which lowered it by a hundredth.
  expect((await system.strategy('polygon', 'Comet USDC')).apy).toBeCloseTo(before.apy, 3)
  expect((await system.strategy('polygon', 'Comet USDC')).apy).toBeLessThan(0.025)
  const { allocations } = await holder.allocations()
  const { currentValue } = allocations.find(({ strategyId }) => strategyId === comet.strategyId)!
  // 31 days at 2.2 % and no more: rewards would add 85 tokens.
  expect(BigInt(currentValue) - 10_000n * USDC).toBeLessThan(25n * USDC)
})

test('rewards that ended are zero for a day in which none were paid, and measured where some were', async () => {
  expect((await setRewards(comet, 0)).body).toMatchObject({ rewardBps: 0 })
  await advance(3)
  // Prices of tokens are read later than shares, and nothing has a worth without one.
  await until(async () => {
    const [day, , month] = await rewardsOf(comet)
    return day === '0.00%' && month !== null
  })
  const month = (await yieldsOf(comet))[2]!
  // What was paid until three days ago, over a period that is three days longer.
  expect(percent(month.reward)).toBeGreaterThan(9)
  expect(percent(month.reward)).toBeLessThan(9.6)
})

test('a protocol that tells nothing about rewards has none, which is not zero', async () => {
  const aave = await system.strategy('polygon', 'Aave V3 USDC')
  expect(await rewardsOf(aave)).toEqual([null, null, null])
  expect(expectRefusal(await setRewards(aave, 100), 409, 'CONFLICT')).toEqual({ reason: 'state_not_supported' })
  expectIssues(await setRewards(comet, 10_001), 'rewardBps')
})
