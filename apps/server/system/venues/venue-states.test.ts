import { type Hex, maxUint256, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Strategy } from '../clients/api-types.ts'
import { expectIssues, expectRefusal } from '../clients/expect-refusal.ts'
import { onChain } from '../clients/on-chain.ts'
import { createFundedWalletClient, type WalletClient } from '../clients/wallet-client.ts'
import { type System, startSystem } from '../service/start-system.ts'
import { fluidStates } from './fluid-states.ts'
import { partialWithdrawals } from './partial-withdrawals.ts'
import { slowVaultLosses } from './slow-vault-losses.ts'
import { slowVaultMoves } from './slow-vault-moves.ts'
import { solanaStates } from './solana-states.ts'
import { unkindPlans } from './unkind-plans.ts'

const USDC = 1_000_000n
const TOKEN = parseAbi(['function balanceOf(address) view returns (uint256)'])
const POOL = parseAbi(['function getConfiguration(address asset) view returns (uint256)'])

interface State {
  readonly strategyId: number
  readonly paused: boolean
  readonly frozen: boolean
  readonly depositCap: string | null
  readonly totalAssets: string
  readonly liquidity: string
  readonly feeBps: number
}

let system: System
let holder: WalletClient
let chain: Awaited<ReturnType<typeof onChain>>

beforeAll(async () => {
  system = await startSystem()
  holder = await createFundedWalletClient(system.profile, 'polygon', 1_000n * USDC)
  chain = await onChain(system, holder)
})
afterAll(() => system?.stop())

const path = ({ strategyId }: Pick<Strategy, 'strategyId'>) => `/v1/sandbox/strategies/${strategyId}/state`

async function set(strategy: Strategy, change: object): Promise<State> {
  const answer = await system.profile.post<State>(path(strategy), change)
  expect(answer.status, answer.text).toBe(200)
  // Interest accrues between the two reads.
  const { body: read } = await system.profile.get<State>(path(strategy))
  const { totalAssets, liquidity } = answer.body
  expect({ ...read, totalAssets, liquidity }).toEqual(answer.body)
  expect(BigInt(read.totalAssets)).toBeGreaterThanOrEqual(BigInt(totalAssets))
  expect(BigInt(read.liquidity)).toBeGreaterThanOrEqual(BigInt(liquidity))
  return answer.body
}

/** The contract that a supply calls. */
async function contractOf(strategy: Strategy): Promise<Hex> {
  const { transactions, operationId } = await holder.planSupply(strategy, 100n * USDC)
  await holder.carryOut(await holder.read(operationId))
  return holder.planned(transactions.at(-1)!).to as Hex
}

const wallet = () => holder.account.address

describe('Aave V3 USDC', () => {
  let strategy: Strategy
  let pool: Hex
  const flag = async (bit: bigint) => {
    const args = [strategy.tokenAddress as Hex] as const
    const configuration = await chain.reader.readContract({
      address: pool,
      abi: POOL,
      functionName: 'getConfiguration',
      args,
    })
    return (configuration >> bit) & 1n
  }
  beforeAll(async () => {
    strategy = await system.strategy('polygon', 'Aave V3 USDC')
    pool = await contractOf(strategy)
  })

  test('is frozen, paused and full, and back', async () => {
    expect(await set(strategy, { frozen: true })).toMatchObject({ frozen: true })
    expect(await flag(57n)).toBe(1n)
    expect(await set(strategy, { frozen: false })).toMatchObject({ frozen: false })
    expect(await flag(57n)).toBe(0n)

    expect(await set(strategy, { paused: true })).toMatchObject({ paused: true })
    expect(await flag(60n)).toBe(1n)
    const refusal = await system.profile.post(path(strategy), { liquidity: 'leave' })
    expect(expectRefusal(refusal, 409, 'CONFLICT')).toEqual({ reason: 'venue_refused' })
    expect(await set(strategy, { paused: false })).toMatchObject({ paused: false })

    expect(await set(strategy, { depositCap: '2999999' })).toMatchObject({ depositCap: '2000000' })
    const full = await system.profile.post('/v1/operations/supply', holder.supplyOf(strategy, USDC))
    expect(full.status, full.text).toBe(400)
    expect(await set(strategy, { depositCap: null })).toMatchObject({ depositCap: null })
    await holder.planSupply(strategy, USDC)
  })

  test('is fully borrowed, which the vault that lends there feels, and repaid', async () => {
    const vault = await system.strategy('polygon', 'Lending USDC (Aave)')
    const before = BigInt((await system.profile.get<State>(path(strategy))).body.liquidity)
    expect((await set(strategy, { liquidity: 'leave' })).liquidity).toBe('0')
    expect((await system.profile.get<State>(path(vault))).body.liquidity).toBe('0')
    expect(BigInt((await set(strategy, { liquidity: 'return' })).liquidity)).toBeGreaterThanOrEqual(before)
  })
})

describe('Comet USDC', () => {
  let strategy: Strategy
  beforeAll(async () => {
    strategy = await system.strategy('polygon', 'Comet USDC')
  })
  const refusalOf = async (kind: 'supply' | 'unwind', expected: string) => {
    const { tokenAddress: _token, ...named } = holder.supplyOf(strategy, USDC)
    const body = kind === 'supply' ? holder.supplyOf(strategy, USDC) : named
    return expectRefusal(await system.profile.post(`/v1/operations/${kind}`, body), 400, expected)
  }
  const unwind = async (amount: bigint | 'full') => holder.carryOut(await holder.planUnwind(strategy, amount))
  const worth = async () => {
    const { allocations } = await holder.allocations()
    return allocations.find(({ strategyId }) => strategyId === strategy.strategyId)
  }

  test('takes a deposit, whose value is rounded down', async () => {
    await holder.supply(strategy, 100n * USDC)
    const { principal, currentValue } = (await worth())!
    expect(principal).toBe(String(100n * USDC))
    // Comet rounds a claim down at each deposit.
    expect(BigInt(currentValue)).toBeGreaterThanOrEqual(100n * USDC - 1n)
    expect(BigInt(currentValue)).toBeLessThan(101n * USDC)
  })

  test('while deposits are paused they are refused, and withdrawals go on', async () => {
    expect(await set(strategy, { frozen: true })).toMatchObject({ frozen: true, paused: false })
    expect(await refusalOf('supply', 'STRATEGY_NOT_ACTIVE')).toEqual({ reason: 'paused' })
    await unwind(10n * USDC)
    expect(await set(strategy, { frozen: false })).toMatchObject({ frozen: false })
  })

  test('while all is paused, or lent out, withdrawals are refused; then everything comes back', async () => {
    expect(await set(strategy, { paused: true })).toMatchObject({ paused: true })
    expect(await refusalOf('unwind', 'SIMULATION_FAILED')).toMatchObject({ failureCode: 'Paused', withdrawable: '0' })
    expect(await set(strategy, { paused: false })).toMatchObject({ paused: false })
    expect((await set(strategy, { liquidity: 'leave' })).liquidity).toBe('0')
    expect(await refusalOf('unwind', 'SIMULATION_FAILED')).toMatchObject({ withdrawable: '0' })
    expect(BigInt((await set(strategy, { liquidity: 'return' })).liquidity)).toBeGreaterThan(90n * USDC)
    await unwind('full')
    expect(await worth()).toBeUndefined()
    const token = { address: strategy.tokenAddress as Hex, abi: TOKEN, functionName: 'balanceOf' } as const
    const held = await chain.reader.readContract({ ...token, args: [wallet()] })
    expect((await holder.balance('USDC')).available).toBe(held.toString())
  })
})

test('Savings USDC pays the rate that is set, at once, and every withdrawal', async () => {
  const strategy = await system.strategy('polygon', 'Savings USDC')
  const apy = async () => (await system.strategy('polygon', 'Savings USDC')).apy
  await holder.supply(strategy, 50n * USDC)
  expect(await set(strategy, { rateBps: 0 })).toMatchObject({ rateBps: 0 })
  expect(await apy()).toBe(0)
  expect(await set(strategy, { rateBps: 210 })).toMatchObject({ rateBps: 210 })
  expect(await apy()).toBeCloseTo(Math.expm1(0.021), 6)
  expectIssues(await system.profile.post(path(strategy), { rateBps: 10_001 }), 'rateBps')
  const refusal = await system.profile.post(path(strategy), { paused: true })
  expect(expectRefusal(refusal, 409, 'CONFLICT')).toEqual({ reason: 'state_not_supported' })
  await holder.carryOut(await holder.planUnwind(strategy, 'full'))
})

describe('Credit USDC', () => {
  let strategy: Strategy
  beforeAll(async () => {
    strategy = await system.strategy('polygon', 'Credit USDC')
    await holder.supply(strategy, 50n * USDC)
  })
  const unwind = ({ strategyId }: Strategy) =>
    system.profile.post('/v1/operations/unwind', {
      walletAddress: holder.walletAddress,
      strategyId,
      amount: USDC.toString(),
    })
  const supply = () => system.profile.post('/v1/operations/supply', holder.supplyOf(strategy, USDC))

  test('reports the liquidity that it has, whatever is donated to it', async () => {
    const listed = async () => BigInt((await system.strategy('polygon', 'Credit USDC')).tvl ?? '0')
    expect(await listed()).toBeGreaterThan(0n)
    expect((await set(strategy, { liquidity: 'leave' })).liquidity).toBe('0')
    expect(expectRefusal(await unwind(strategy), 400, 'SIMULATION_FAILED')).toMatchObject({ withdrawable: '0' })
    expect((await set(strategy, { liquidity: 'return', amount: '20000000' })).liquidity).toBe('20000000')
    expect(BigInt((await set(strategy, { liquidity: 'return' })).liquidity)).toBeGreaterThan(50n * USDC)
  })

  test('refuses deposits at its cap and while they are disabled, and withdrawals while those are', async () => {
    await set(strategy, { depositCap: '0' })
    expect(expectRefusal(await supply(), 400, 'STRATEGY_NOT_ACTIVE')).toEqual({ reason: 'full' })
    await set(strategy, { depositCap: null })
    expect(await set(strategy, { frozen: true })).toMatchObject({ frozen: true, paused: false })
    expect(expectRefusal(await supply(), 400, 'STRATEGY_NOT_ACTIVE')).toEqual({ reason: 'full' })
    expect(await set(strategy, { paused: true })).toMatchObject({ paused: true })
    expect(expectRefusal(await unwind(strategy), 400, 'SIMULATION_FAILED')).toMatchObject({ withdrawable: '0' })
    await set(strategy, { paused: false })
    await holder.carryOut(await holder.planUnwind(strategy, 'full'))
  })
})

unkindPlans(() => system)
partialWithdrawals(() => system)
// Before the losses: after one, no strategy that lost is worth a deposit.
slowVaultMoves(() => system)
slowVaultLosses(() => system)
fluidStates(() => ({ system, holder, set, path }))
solanaStates(() => ({ system, set, path }))

test('exactly one change of an existing strategy is accepted', async () => {
  const strategy = await system.strategy('polygon', 'V2 USDC')
  for (const change of [{}, { paused: true, frozen: true }]) {
    expectIssues(await system.profile.post(path(strategy), change), '')
  }
  expectIssues(await system.profile.post(path(strategy), { paused: true, amount: '1' }), 'amount')
  expectIssues(await system.profile.post(path(strategy), { lossBps: 5_001 }), 'lossBps')
  const tooMuch = { liquidity: 'leave', amount: (maxUint256 + 1n).toString() }
  expectRefusal(await system.profile.post(path(strategy), tooMuch), 400, 'INVALID_AMOUNT')
  expectRefusal(await system.profile.post(path({ strategyId: 2 ** 40 }), { paused: true }), 404, 'STRATEGY_NOT_FOUND')
  const fixed = await system.strategy('polygon', 'Yield Vault USDC')
  const refusal = await system.profile.get(path(fixed))
  expect(expectRefusal(refusal, 409, 'CONFLICT')).toEqual({ reason: 'state_not_supported' })
})
