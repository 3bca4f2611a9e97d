import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { until } from '../../testing/until.ts'
import type { Operation, Strategy } from '../clients/api-types.ts'
import { asOwner } from '../clients/as-owner.ts'
import type { HttpClient } from '../clients/client.ts'
import { createSolanaWalletClient } from '../clients/solana-wallet-client.ts'
import { createFundedWalletClient, type WalletClient } from '../clients/wallet-client.ts'
import { type System, startSystem } from '../service/start-system.ts'
import { expectAbout } from './expect-about.ts'
import { carriedMove, moveFor } from './expect-moves.ts'
import { expectOnChain } from './expect-on-chain.ts'
import { startSandboxAgent } from './sandbox-agent.ts'

/** What docs/situations.md describes: each happened on a public chain, and is replayed here on the embedded ones. */

const USDC = 1_000_000n
const SETTINGS = {
  maxPriceFall: '1',
  maxPegDistance: '2',
  minWithdrawableShare: '20',
  onUpgrade: true,
  withdraw: false,
  recoverySeconds: 60,
}
const KINDS = ['price_fall', 'depeg', 'illiquidity', 'upgrade'] as const

interface Preview {
  readonly moves: readonly { readonly type: string; readonly to: { readonly name: string }; readonly amount: string }[]
  readonly awaited: string
  readonly strategies: readonly { readonly name: string; readonly verdict: string }[]
  readonly sources: readonly { readonly name: string; readonly withdrawable: string; readonly verdict: string }[]
}
interface Breakers {
  readonly breakers: readonly {
    strategyId: number
    kind: (typeof KINDS)[number]
    state: string
    measure: string | null
  }[]
}
interface EventPage {
  readonly events: readonly { readonly event: string; readonly data: Readonly<Record<string, unknown>> }[]
}
interface Queued {
  readonly intents: readonly { readonly id: number; readonly type: string }[]
}

let system: System
let core: HttpClient
let agent: Awaited<ReturnType<typeof startSandboxAgent>>
beforeAll(async () => {
  system = await startSystem()
  core = await asOwner(system)
  // What the rebalancer plans waits, so that each move is looked at and then rejected.
  const policy = { mode: 'manual', rules: [], default: 'require_approval', requiredApprovals: 1 }
  await data(core.request('PUT', '/api/core/approval-policy', { body: policy }))
  agent = await startSandboxAgent(system, core)
})
beforeEach(async () => {
  await set(SETTINGS)
})
afterAll(async () => {
  await agent?.stop()
  await system?.stop()
})

async function data<T>(answer: Promise<{ status: number; text: string; body: { data: T } }>): Promise<T> {
  const { status, text, body } = await answer
  expect([200, 201], text).toContain(status)
  return body.data
}
const set = (settings: object) => data<Breakers>(core.request('PUT', '/api/core/circuit-breakers', { body: settings }))
const breakersOf = async ({ strategyId }: Strategy) =>
  (await data<Breakers>(core.get('/api/core/circuit-breakers'))).breakers.filter((one) => one.strategyId === strategyId)
async function change(strategy: Strategy, state: object): Promise<void> {
  const { status, text } = await system.profile.post(`/v1/sandbox/strategies/${strategy.strategyId}/state`, state)
  expect(status, text).toBe(200)
}
/** Waits until the strategy's breaker of this kind is in the state; `closed` breakers are not listed. */
async function breaker(strategy: Strategy, kind: (typeof KINDS)[number], state: string) {
  await until(async () => {
    const found = (await breakersOf(strategy)).find((one) => one.kind === kind)
    return (found?.state ?? 'closed') === state
  })
  return (await breakersOf(strategy)).find((one) => one.kind === kind)
}
const accept = ({ strategyId }: Strategy, kind: string) =>
  data(core.post('/api/core/circuit-breakers/accept', { strategyId, kind }))
/** The events about a strategy's breakers, without those of its token's other strategies. */
async function notices({ strategyId }: Strategy): Promise<string[]> {
  const { events } = (await system.organization.get<EventPage>('/v1/events?limit=100')).body
  return events
    .filter(({ data: of }) => of.strategyId === strategyId && of.breaker !== undefined)
    .map(({ event, data: of }) => `${event} ${String(of.breaker)}`)
}

interface Holding {
  readonly holder: WalletClient
  readonly opWalletId: number
  preview(bufferAmount: string): Promise<Preview>
  setBuffer(bufferAmount: string): Promise<unknown>
  /** What the rebalancer plans with this buffer; it is rejected, so that nothing follows. */
  move(bufferAmount: string): Promise<Pick<Operation, 'type' | 'strategyId' | 'amount'>>
}
/** An operational wallet with 600 USDC in the strategy, 200 in another if there is one, and 400 as its buffer. */
async function holding(strategy: Strategy, other?: Strategy): Promise<Holding> {
  const holder = await createFundedWalletClient(system.profile, 'polygon', (other ? 1_200n : 1_000n) * USDC)
  await holder.supply(strategy, 600n * USDC)
  if (other) await holder.supply(other, 200n * USDC)
  const body = { orgWalletId: holder.walletId, token: 'USDC', bufferAmount: '400' }
  const { opWalletId } = await data<{ opWalletId: number }>(core.post('/api/core/wallets/add-and-monitor', body))
  const path = `/api/core/wallets/monitored/${opWalletId}/rebalance-preview`
  const settings = `/api/core/wallets/monitored/${opWalletId}/buffer-settings`
  const mover = { walletId: holder.walletId, opWalletId }
  return {
    holder,
    opWalletId,
    preview: (bufferAmount) => data<Preview>(core.post(path, { bufferAmount })),
    setBuffer: (bufferAmount) => data(core.request('PUT', settings, { body: { bufferAmount, enableYield: true } })),
    move: (bufferAmount) => moveFor({ system, core, mover }, { bufferAmount, enableYield: true }),
  }
}
/** An operational wallet whose moves the custody agent signs, with 600 of its 1,000 USDC in the strategy. */
async function managed(strategy: Strategy) {
  const { walletId } = await agent.wallet('polygon', 1_000n * USDC)
  const body = { orgWalletId: walletId, token: 'USDC', bufferAmount: '1000', enableYield: false }
  const { opWalletId } = await data<{ opWalletId: number }>(core.post('/api/core/wallets/add-and-monitor', body))
  const setting = { system, core, mover: { walletId, opWalletId } }
  const deposit = await carriedMove(setting, { bufferAmount: '400', enableYield: true })
  expect(deposit).toMatchObject({ type: 'supply', strategyId: strategy.strategyId, amount: String(600n * USDC) })
  return setting
}
/** The rebalancer's own operation withdraws this much, about: interest and rounding move the last units. */
async function expectRefill(
  { move }: Holding,
  bufferAmount: string,
  { strategyId, amount }: { strategyId: number; amount: bigint },
): Promise<void> {
  const refill = await move(bufferAmount)
  expect(refill).toMatchObject({ type: 'unwind', strategyId })
  expectAbout(BigInt(refill.amount!), amount)
}
/** Weir deposits only in these on its own. */
const allowOnly = (...strategies: readonly Strategy[]) =>
  data(
    core.request('PUT', '/api/core/deposit-limits', {
      body: {
        allowedStrategies: strategies.length === 0 ? null : strategies.map(({ strategyId }) => strategyId),
        caps: [],
        maxPoolShare: null,
        maxLiquidityShare: null,
      },
    }),
  )
const verdictOn = ({ strategies }: Preview, { name }: Strategy) =>
  strategies.find((one) => one.name === name)?.verdict ?? ''
/** Of the wallet; others may hold a position in the strategy too. */
const withdrawalsOf = async ({ opWalletId }: Holding) =>
  (await data<Queued>(core.get(`/api/core/operations/queue?opWalletId=${opWalletId}`))).intents.filter(
    ({ type }) => type === 'UNWIND',
  )

test('a pool fully borrowed for a day: the buffer waits, deposits stop, and the money comes when it is repaid', async () => {
  const strategy = await system.strategy('polygon', 'Aave V3 USDC')
  const own = await holding(strategy)
  const other = await system.strategy('polygon', 'Lending USDC (markets)')
  const elsewhere = await holding(strategy, other)
  await allowOnly(strategy)
  await change(strategy, { liquidity: 'leave' })
  await expectRefill(elsewhere, '500', { strategyId: other.strategyId, amount: 100n * USDC })
  expect(await own.preview('700')).toMatchObject({ moves: [], awaited: '300.00', sources: [{ withdrawable: '0.00' }] })
  expect(await breaker(strategy, 'illiquidity', 'open')).toMatchObject({ measure: '0.00' })
  expect(verdictOn(await own.preview('100'), strategy)).toContain('a circuit breaker is open')
  await system.profile.post('/v1/sandbox/advance-time', { seconds: 86_400 })
  expect(await breaker(strategy, 'illiquidity', 'open')).toBeDefined()
  await change(strategy, { liquidity: 'return' })
  const { moves } = await own.preview('700')
  expect(moves).toMatchObject([{ type: 'UNWIND', amount: '300.00' }])
  await expectRefill(own, '700', { strategyId: strategy.strategyId, amount: 300n * USDC })
  await breaker(strategy, 'illiquidity', 'recovering')
  await accept(strategy, 'illiquidity')
  await until(async () => (await notices(strategy)).length === 2)
  expect(await notices(strategy)).toEqual([
    'strategy.breaker_opened illiquidity',
    'strategy.breaker_closed illiquidity',
  ])
})

test('a cap cut to zero: the deposit goes to the next best strategy, and the position stays withdrawable', async () => {
  const strategy = await system.strategy('polygon', 'Lending USDC (markets)')
  const next = await system.strategy('polygon', 'Upgradeable USDC')
  const own = await holding(strategy)
  await allowOnly(strategy, next)
  await change(strategy, { depositCap: '0' })
  const preview = await own.preview('100')
  expect(verdictOn(preview, strategy)).toBe('it accepts no deposits at the moment')
  expect(preview.moves).toMatchObject([{ type: 'SUPPLY', amount: '300.00' }])
  expect(preview.moves[0]!.to.name).toBe(next.name)
  expect(await own.move('100')).toMatchObject({ type: 'supply', strategyId: next.strategyId })
  expect((await own.preview('900')).moves).toMatchObject([{ type: 'UNWIND', amount: '500.00' }])
  await expectRefill(own, '900', { strategyId: strategy.strategyId, amount: 500n * USDC })
  expect(await breakersOf(strategy)).toEqual([])
  await change(strategy, { depositCap: null })
  expect((await own.preview('100')).moves[0]!.to.name).toBe(strategy.name)
  expect(await own.move('100')).toMatchObject({ type: 'supply', strategyId: strategy.strategyId })
})

test('a loss of 3%: deposits stop, and with the setting everything is withdrawn', async () => {
  const strategy = await system.strategy('polygon', 'Lending USDC (markets)')
  const own = await holding(strategy)
  await allowOnly(strategy)
  const losing = await managed(strategy)
  await change(strategy, { lossBps: 300 })
  const { measure } = (await breaker(strategy, 'price_fall', 'open'))!
  expect(Number(measure)).toBeGreaterThan(2.9)
  expect(Number(measure)).toBeLessThan(3.1)
  expect(verdictOn(await own.preview('100'), strategy)).toContain('its share price fell by')
  await set({ ...SETTINGS, withdraw: true })
  await until(async () => (await withdrawalsOf(own)).length > 0)
  const [planned] = await withdrawalsOf(own)
  const detail = await data<{ reasons: Pick<Preview, 'awaited' | 'sources'> & { why: string } }>(
    core.get(`/api/core/operations/${planned!.id}`),
  )
  expect(detail.reasons.why).toContain('All of it is withdrawn: a circuit breaker is open')
  expect(detail.reasons).toMatchObject({ awaited: '0.00', sources: [{ name: strategy.name }] })
  expect(Number(detail.reasons.sources[0]!.withdrawable)).toBeCloseTo(582, 0)
  const withdrawn = await carriedMove(losing, { bufferAmount: '1', enableYield: false })
  expect(withdrawn).toMatchObject({ type: 'unwind', strategyId: strategy.strategyId, amount: null })
  expectAbout(BigInt(withdrawn.settledAmount!), 582n * USDC)
  expect(await expectOnChain({ system, core, walletId: losing.mover.walletId }, [strategy])).toEqual([0n])
  await set(SETTINGS)
  await change(strategy, { lossBps: 0 })
  await breaker(strategy, 'price_fall', 'recovering')
  await accept(strategy, 'price_fall')
})

/** The second vault has no proxy of its own: the code is replaced where its money is. */
test.each(['Upgradeable USDC', 'Fluid USDC'])(
  'an upgrade of %s: deposits stop until an admin accepts the new code',
  async (name) => {
    const strategy = await system.strategy('polygon', name)
    const own = await holding(strategy)
    await allowOnly(strategy)
    await change(strategy, { upgraded: true })
    expect(await breaker(strategy, 'upgrade', 'open')).toMatchObject({ measure: null })
    expect(verdictOn(await own.preview('100'), strategy)).toContain('the code of its contracts was replaced')
    await expectRefill(own, '700', { strategyId: strategy.strategyId, amount: 300n * USDC })
    await accept(strategy, 'upgrade')
    await breaker(strategy, 'upgrade', 'closed')
    expect(verdictOn(await own.preview('100'), strategy)).not.toContain('circuit breaker')
    expect(await own.move('100')).toMatchObject({ type: 'supply', strategyId: strategy.strategyId })
    await until(async () => (await notices(strategy)).includes('strategy.breaker_opened upgrade'))
    await change(strategy, { upgraded: false })
    await breaker(strategy, 'upgrade', 'open')
    await accept(strategy, 'upgrade')
  },
)

test('a stablecoin at 0.88: nothing is deployed anywhere, and a person who insists is warned', async () => {
  const strategy = await system.strategy('polygon', 'Aave V3 USDC')
  const own = await holding(strategy)
  await allowOnly()
  await change(strategy, { tokenPriceUsd: '0.88' })
  expect(await breaker(strategy, 'depeg', 'open')).toMatchObject({ measure: '12.00' })
  const preview = await own.preview('100')
  expect(preview.moves).toEqual([])
  for (const { verdict } of preview.strategies) expect(verdict).toContain('its token is 12.00% off its peg')
  await expectRefill(own, '700', { strategyId: strategy.strategyId, amount: 300n * USDC })
  await own.setBuffer('400')
  await own.holder.fund('USDC', 10n * USDC)
  const { strategyId } = strategy
  const deployment = { opWalletId: own.opWalletId, amount: '10.00', asset: 'USDC', strategyId }
  const { warnings } = await data<{ warnings: string[] }>(core.post('/api/v1/allocations', deployment))
  expect(warnings).toEqual(['For this strategy a circuit breaker is open: its token is 12.00% off its peg.'])
  await change(strategy, { tokenPriceUsd: '1' })
  await breaker(strategy, 'depeg', 'recovering')
  await accept(strategy, 'depeg')
})

test('on Solana a program that is deployed again, and a token off its peg, stop deposits too', async () => {
  const strategy = await system.strategy('solana', 'Share Vault USDC')
  const holder = await createSolanaWalletClient(system)
  await holder.fund('USDC', 1_000n * USDC)
  const body = { orgWalletId: holder.walletId, token: 'USDC', bufferAmount: '1000' }
  const { opWalletId } = await data<{ opWalletId: number }>(core.post('/api/core/wallets/add-and-monitor', body))
  const path = `/api/core/wallets/monitored/${opWalletId}/rebalance-preview`
  const preview = () => data<Preview>(core.post(path, { bufferAmount: '100' }))
  expect((await preview()).moves).toMatchObject([{ type: 'SUPPLY', to: { name: strategy.name } }])

  await change(strategy, { upgraded: true })
  await breaker(strategy, 'upgrade', 'open')
  expect((await preview()).moves).toEqual([])
  expect(verdictOn(await preview(), strategy)).toContain('the code of its contracts was replaced')
  await accept(strategy, 'upgrade')

  await change(strategy, { tokenPriceUsd: '0.88' })
  expect(await breaker(strategy, 'depeg', 'open')).toMatchObject({ measure: '12.00' })
  expect(verdictOn(await preview(), strategy)).toContain('its token is 12.00% off its peg')
  await change(strategy, { tokenPriceUsd: '1' })
  await breaker(strategy, 'depeg', 'recovering')
  await accept(strategy, 'depeg')
  expect((await preview()).moves).toMatchObject([{ type: 'SUPPLY', to: { name: strategy.name } }])
  await until(async () => (await notices(strategy)).length === 4)
  expect((await notices(strategy)).toSorted()).toEqual([
    'strategy.breaker_closed depeg',
    'strategy.breaker_closed upgrade',
    'strategy.breaker_opened depeg',
    'strategy.breaker_opened upgrade',
  ])
})
