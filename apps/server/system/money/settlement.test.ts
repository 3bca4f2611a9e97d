import { type Hex, parseAbi, parseAbiItem } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '../../testing/until.ts'
import type { Allocation, AllocationList, Operation, Transaction } from '../clients/api-types.ts'
import { expectRefusal } from '../clients/expect-refusal.ts'
import { onChain } from '../clients/on-chain.ts'
import { createFundedWalletClient, createWalletClient, type WalletClient } from '../clients/wallet-client.ts'
import { sharedSystem } from '../service/shared-system.ts'
import type { System } from '../service/start-system.ts'

const TOKEN = 1_000_000n
const NAMED = parseAbi(['function name() view returns (string)'])
const TRANSFER = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)')

let system: System

beforeAll(async () => {
  system = await sharedSystem()
})
afterAll(() => system?.stop())

const advance = async (seconds: number) =>
  expect((await system.profile.post('/v1/sandbox/advance-time', { seconds })).status).toBe(200)
const only = ({ allocations }: AllocationList): Allocation => {
  expect(allocations).toHaveLength(1)
  return allocations[0]!
}

function expectConfirmed(operation: Operation): void {
  expect(operation.status).toBe('CONFIRMED')
  expect(operation).not.toHaveProperty('failureReason')
  for (const transaction of operation.transactions) {
    expect(Object.keys(transaction).sort()).toEqual([
      'blockNumber',
      'blockchain',
      'confirmations',
      'description',
      'id',
      'status',
      'txHash',
    ])
    expect(transaction.status).toBe('confirmed')
    expect(transaction.txHash).toMatch(/^0x[0-9a-f]{64}$/)
    expect(transaction.confirmations).toBeGreaterThanOrEqual(1)
  }
}

describe('a position', () => {
  test.each([
    ['ethereum', 'Aave V3 USDC'],
    ['polygon', 'Aave V3 USDT'],
    ['base', 'Yield Vault USDC'],
    ['polygon', 'Yield Vault USDT'],
    ['polygon', 'Capped'],
  ])(
    'on %s in %s is supplied, earns, is withdrawn partly and then fully, and leaves no share',
    async (blockchain, name) => {
      const strategy = await system.strategy(blockchain, name)
      const holder = await createFundedWalletClient(system.profile, blockchain, 1_000n * TOKEN, strategy.token)
      const supplied = await holder.supply(strategy, 600n * TOKEN)
      expectConfirmed(supplied)
      expect(await holder.balance(strategy.token)).toMatchObject({ available: '400000000', reserved: '0' })

      const opened = only(await holder.allocations())
      expect(opened).toMatchObject({
        strategyId: strategy.strategyId,
        strategyName: name,
        walletAddress: holder.walletAddress,
        blockchain,
        token: strategy.token,
        tokenAddress: strategy.tokenAddress,
        principal: '600000000',
      })
      expect(BigInt(opened.currentValue)).toBeGreaterThanOrEqual(599_999_999n)
      const { walletId } = holder
      const byStrategy = `/v1/allocations/strategy/${strategy.strategyId}?walletId=${walletId}`
      expect((await system.profile.get<Allocation>(byStrategy)).body).toMatchObject({ principal: '600000000' })
      const byVenue = `/v1/allocations/${opened.venueId}?walletId=${walletId}`
      const largest = await system.profile.get<Allocation>(byVenue)
      expect(largest.body).toMatchObject({ strategyId: strategy.strategyId, principal: '600000000' })
      expect(largest.headers.get('deprecation')).toMatch(/\S/)
      expect(BigInt(opened.yieldEarned)).toBe(BigInt(opened.currentValue) - BigInt(opened.principal))

      await advance(2 * 86_400)
      const list = await holder.allocations()
      const grown = only(list)
      expect(BigInt(grown.yieldEarned)).toBeGreaterThan(TOKEN / 10n)
      expect(BigInt(grown.yieldEarned)).toBe(BigInt(grown.currentValue) - 600n * TOKEN)
      expect([list.totalValue, list.totalYieldEarned]).toEqual([grown.currentValue, grown.yieldEarned])
      expect(Date.parse(grown.lastUpdated) - Date.parse(opened.lastUpdated)).toBeGreaterThanOrEqual(2 * 86_400_000)
      // The balance values positions at the latest price, from the same block or slightly later.
      const { deployed } = await holder.balance(strategy.token)
      expect(Math.abs(Number(BigInt(deployed) - BigInt(grown.currentValue)))).toBeLessThan(1_000)

      const partly = await holder.carryOut(await holder.planUnwind(strategy, 200n * TOKEN))
      expectConfirmed(partly)
      expect(await holder.balance(strategy.token)).toMatchObject({ available: '600000000', reserved: '0' })
      const left = only(await holder.allocations())
      // A withdrawal takes principal and yield in proportion.
      const share = (600n * TOKEN * (BigInt(grown.currentValue) - 200n * TOKEN)) / BigInt(grown.currentValue)
      expect(Math.abs(Number(BigInt(left.principal) - share))).toBeLessThan(1_000)

      const whole = await holder.carryOut(await holder.planUnwind(strategy, 'full'))
      expectConfirmed(whole)
      expect(await holder.allocations()).toEqual({ allocations: [], totalValue: '0', totalYieldEarned: '0' })
      const after = await holder.balance(strategy.token)
      expect(after).toMatchObject({ reserved: '0', deployed: '0' })
      expect(BigInt(after.available)).toBeGreaterThan(1_000n * TOKEN)

      expectRefusal(await system.profile.get(byStrategy), 404, 'ALLOCATION_NOT_FOUND')
      expectRefusal(await system.profile.get(byVenue), 404, 'ALLOCATION_NOT_FOUND')
      const chain = await onChain(system, holder)
      expect(await chain.balanceOf(strategy.tokenAddress)).toBe(BigInt(after.available))
      expectRefusal(
        await system.profile.post('/v1/operations/unwind', {
          walletId: holder.walletId,
          strategyId: strategy.strategyId,
          fullWithdrawal: true,
        }),
        404,
        'ALLOCATION_NOT_FOUND',
      )
    },
  )

  test('is the same by wallet, address and user, and a user has those of all their wallets', async () => {
    const userId = `saver-${Date.now()}`
    const strategy = await system.strategy('base', 'Aave V3 USDC')
    const register = { userId }
    const one = await createWalletClient(system.profile, 'base', { register })
    const two = await createWalletClient(system.profile, 'base', { register })
    for (const holder of [one, two]) {
      await holder.fund('USDC', 10n * TOKEN)
      await holder.supply(strategy, 10n * TOKEN)
    }
    const find = async (named: Record<string, unknown>) =>
      (await system.profile.post<AllocationList>('/v1/allocations', named)).body
    const byId = await find({ walletId: one.walletId })
    expect(only(byId).principal).toBe('10000000')
    const known = (list: AllocationList) =>
      list.allocations.map(({ walletAddress, principal }) => [walletAddress, principal])
    expect(known(await find({ walletAddress: one.walletAddress.toLowerCase() }))).toEqual(known(byId))
    const byUser = await find({ userId })
    expect(known(byUser).sort()).toEqual(
      [
        [one.walletAddress, '10000000'],
        [two.walletAddress, '10000000'],
      ].sort(),
    )
    const sum = byUser.allocations.reduce((total, { currentValue }) => total + BigInt(currentValue), 0n)
    expect(byUser.totalValue).toBe(sum.toString())
    expect(await find({ userId, blockchain: 'polygon' })).toEqual({
      allocations: [],
      totalValue: '0',
      totalYieldEarned: '0',
    })
  })

  test('opened outside in a paused strategy is noticed and can be withdrawn but not increased', async () => {
    const paused = await system.strategy('polygon', 'Paused')
    const holder = await createFundedWalletClient(system.profile, 'polygon', 50n * TOKEN)
    const vault = await vaultNamed('Paused', holder, paused.tokenAddress)
    const chain = await onChain(system, holder)
    await chain.approve(paused.tokenAddress, vault, 30n * TOKEN)
    await chain.deposit(vault, 30n * TOKEN)
    const found = await until(async () => (await holder.allocations()).allocations[0])
    expect(found).toMatchObject({ strategyId: paused.strategyId, strategyName: 'Paused' })
    expect(BigInt(found.principal)).toBeGreaterThanOrEqual(29_999_999n)
    expect(BigInt(found.yieldEarned)).toBeLessThan(1_000n)
    const { available, deployed } = await holder.balance('USDC')
    expect([available, deployed]).toEqual(['20000000', found.currentValue])

    expectRefusal(
      await system.profile.post('/v1/operations/supply', holder.supplyOf(paused, 10n * TOKEN)),
      400,
      'STRATEGY_NOT_ACTIVE',
    )
    await holder.carryOut(await holder.planUnwind(paused, 10n * TOKEN))
    expect(await holder.balance('USDC')).toMatchObject({ available: '30000000' })
    await holder.carryOut(await holder.planUnwind(paused, 'full'))
    expect((await holder.allocations()).allocations).toEqual([])
    expect(await chain.balanceOf(vault)).toBe(0n)
  })
})

/** The vault of a strategy that accepts no plans, found as an outsider would: by name among its token's holders. */
async function vaultNamed(name: string, holder: WalletClient, token: string): Promise<Hex> {
  const { reader } = await onChain(system, holder)
  const logs = await reader.getLogs({ address: token as Hex, event: TRANSFER, fromBlock: 0n })
  for (const address of new Set(logs.map(({ args }) => args.to!))) {
    if ((await reader.getCode({ address })) === undefined) continue
    const called = await reader.readContract({ address, abi: NAMED, functionName: 'name' }).catch(() => undefined)
    if (called?.includes(name)) return address
  }
  throw new Error(`no vault is called ${name}`)
}

describe('approvals', () => {
  const kinds = (transactions: readonly Transaction[], holder: WalletClient) =>
    transactions.map((transaction) => holder.planned(transaction).data!.slice(0, 10))
  const APPROVE = '0x095ea7b3'

  test('on USDT with a non-zero allowance: first zero, then the exact amount, then the supply, in order', async () => {
    for (const name of ['Aave V3 USDT', 'Yield Vault USDT']) {
      const strategy = await system.strategy('ethereum', name)
      const holder = await createFundedWalletClient(system.profile, 'ethereum', 100n * TOKEN, 'USDT')
      const plain = await holder.planSupply(strategy, 40n * TOKEN)
      expect(kinds(plain.transactions, holder)).toHaveLength(2)
      const spender = spenderOf(holder, plain.transactions[0]!)
      const chain = await onChain(system, holder)
      await chain.approve(strategy.tokenAddress, spender, 7n * TOKEN)

      const plan = await holder.planSupply(strategy, 40n * TOKEN)
      expect(plan.cancelledOperations).toEqual([plain.operationId])
      const selectors = kinds(plan.transactions, holder)
      expect(selectors.slice(0, 2)).toEqual([APPROVE, APPROVE])
      expect(selectors).toHaveLength(3)
      expect(plan.transactions.map((transaction) => holder.planned(transaction).nonce)).toEqual([1, 2, 3])
      expect(amountOf(holder, plan.transactions[0]!)).toBe(0n)
      expect(amountOf(holder, plan.transactions[1]!)).toBe(40n * TOKEN)
      expectConfirmed(await holder.carryOut(plan))
      expect(only(await holder.allocations()).principal).toBe('40000000')
      expect(await chain.allowance(strategy.tokenAddress, spender)).toBe(0n)
    }
  })

  test('for the exact amount are not repeated if they already exist', async () => {
    const strategy = await system.strategy('polygon', 'Aave V3 USDC')
    const holder = await createFundedWalletClient(system.profile, 'polygon', 100n * TOKEN)
    const plain = await holder.planSupply(strategy, 40n * TOKEN)
    const chain = await onChain(system, holder)
    await chain.approve(strategy.tokenAddress, spenderOf(holder, plain.transactions[0]!), 40n * TOKEN)
    const plan = await holder.planSupply(strategy, 40n * TOKEN)
    expect(plan.transactions).toHaveLength(1)
    expectConfirmed(await holder.carryOut(plan))
    const other = await holder.planSupply(strategy, 10n * TOKEN)
    expect(other.transactions).toHaveLength(2)
    expect(amountOf(holder, other.transactions[0]!)).toBe(10n * TOKEN)
  })

  const wordOf = (holder: WalletClient, transaction: Transaction, index: number) =>
    holder.planned(transaction).data!.slice(10 + 64 * index, 10 + 64 * (index + 1))
  const spenderOf = (holder: WalletClient, transaction: Transaction): Hex =>
    `0x${wordOf(holder, transaction, 0).slice(24)}`
  const amountOf = (holder: WalletClient, transaction: Transaction): bigint =>
    BigInt(`0x${wordOf(holder, transaction, 1)}`)
})
