import { type Address, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addressOf, callsOf, type Market, startMarket } from '../../../testing/venues/market.ts'
import { contractCall } from '../evm/contract-call.ts'
import { erc20Abi } from '../evm/erc20.ts'
import type { Strategy } from '../port.ts'
import { poolAbi } from './abi.ts'
import { aaveV3 } from './index.ts'

const UNIT = 1_000_000n

let market: Market
let usdc: Strategy
beforeAll(async () => {
  market = await startMarket('polygon')
  usdc = market.strategy('aave-v3:polygon:USDC')
})
afterAll(() => market.stop())

async function supply(key: Hex, strategy: Strategy, amount: bigint): Promise<void> {
  const plan = { strategy, owner: addressOf(key), amount, needsZeroAllowance: false }
  await market.send(key, callsOf(await aaveV3.planSupply(market.chain, plan)))
}
async function unwind(key: Hex, strategy: Strategy, amount: bigint): Promise<void> {
  const plan = { strategy, owner: addressOf(key), amount, shares: 0n }
  await market.send(key, callsOf(await aaveV3.planUnwind(market.chain, plan)))
}
async function balanceOf(token: string, owner: string): Promise<bigint> {
  const [balance] = await market.chain.balances([{ owner, token }])
  return balance!
}

describe('a reserve that differs from its catalogue entry', () => {
  const rpc = async (method: string, ...params: unknown[]) => {
    const response = await fetch(market.devnet.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const { result, error } = (await response.json()) as { result?: unknown; error?: unknown }
    if (error) throw new Error(JSON.stringify(error))
    return result
  }
  const poolStorageAbi = parseAbi([
    'function ADDRESSES_PROVIDER() view returns (address)',
    'function getPoolConfigurator() view returns (address)',
    'function getConfiguration(address) view returns (uint256)',
    'struct ConfigurationMap { uint256 data; }',
    'function setConfiguration(address asset, ConfigurationMap configuration)',
    'function transfer(address to, uint256 value)',
  ])
  async function sendAs(from: string, to: string, data: Hex): Promise<void> {
    await rpc('anvil_setBalance', from, '0xde0b6b3a7640000')
    await rpc('anvil_impersonateAccount', from)
    const hash = await rpc('eth_sendTransaction', { from, to, data })
    await rpc('evm_mine')
    const receipt = (await rpc('eth_getTransactionReceipt', hash)) as { status: string }
    expect(receipt.status).toBe('0x1')
  }
  /** Changes a reserve's configuration as the protocol's governance does. */
  async function configure(change: (bits: bigint) => bigint): Promise<void> {
    const pool = usdc.params.pool!
    const call = (address: string, functionName: string, args: readonly unknown[] = []) =>
      market.chain.multicall([{ address, abi: poolStorageAbi, functionName, args }]).then(([result]) => result)
    const provider = (await call(pool, 'ADDRESSES_PROVIDER')) as string
    const configurator = (await call(provider, 'getPoolConfigurator')) as string
    const bits = (await call(pool, 'getConfiguration', [usdc.tokenAddress])) as bigint
    const args = [usdc.tokenAddress as Address, { data: change(bits) }] as const
    await sendAs(
      configurator,
      pool,
      encodeFunctionData({ abi: poolStorageAbi, functionName: 'setConfiguration', args }),
    )
  }
  const flag = (bit: bigint, on: boolean) => (bits: bigint) => (on ? bits | (1n << bit) : bits & ~(1n << bit))
  const termsOf = async () => (await aaveV3.rates(market.chain, [{ strategy: usdc, past: undefined }]))[0]!
  const positionOf = async (key: Hex) =>
    (await aaveV3.positions(market.chain, [{ strategy: usdc, owner: addressOf(key) }]))[0]!
  const planOf = (key: Hex, amount: bigint) =>
    aaveV3.planSupply(market.chain, { strategy: usdc, owner: addressOf(key), amount, needsZeroAllowance: false })

  test('takes no deposits while it is frozen, but pays', async () => {
    const key = await market.wallet(usdc, 200n * UNIT)
    await supply(key, usdc, 100n * UNIT)
    await configure(flag(57n, true))
    expect(await termsOf()).toMatchObject({ deposits: { state: 'frozen', room: 0n }, withdrawals: 'open' })
    await expect(planOf(key, UNIT)).rejects.toMatchObject({
      code: 'STRATEGY_NOT_ACTIVE',
      details: { reason: 'frozen' },
    })
    expect((await positionOf(key)).withdrawable).toBeGreaterThanOrEqual(100n * UNIT)
    await unwind(key, usdc, 100n * UNIT)
    await configure(flag(57n, false))
    expect(await termsOf()).toMatchObject({ deposits: { state: 'open' } })
  })

  test('takes and pays nothing while it is paused', async () => {
    const key = await market.wallet(usdc, 200n * UNIT)
    await supply(key, usdc, 100n * UNIT)
    await configure(flag(60n, true))
    expect(await termsOf()).toMatchObject({ deposits: { state: 'paused', room: 0n }, withdrawals: 'paused' })
    await expect(planOf(key, UNIT)).rejects.toMatchObject({
      code: 'STRATEGY_NOT_ACTIVE',
      details: { reason: 'paused' },
    })
    const { shares, withdrawable } = await positionOf(key)
    expect(shares).toBeGreaterThan(0n)
    expect(withdrawable).toBe(0n)
    await configure(flag(60n, false))
    expect((await positionOf(key)).withdrawable).toBeGreaterThanOrEqual(100n * UNIT)
  })

  test('takes exactly what its supply cap leaves', async () => {
    const key = await market.wallet(usdc, 150_000n * UNIT)
    const withCap = (value: bigint) => (bits: bigint) => (bits & ~((2n ** 36n - 1n) << 116n)) | (value << 116n)
    const high = (await termsOf()).tvl / UNIT + 50_000_000n
    await configure(withCap(high))
    const { room } = (await termsOf()).deposits
    await configure(withCap(high - room! / UNIT + 100_000n))
    const { deposits } = await termsOf()
    expect(deposits.state).toBe('open')
    await expect(planOf(key, deposits.room! + UNIT)).rejects.toMatchObject({ code: 'AMOUNT_OUT_OF_BOUNDS' })
    // The contracts agree; between the reading and the later block of the simulation, interest takes less than this.
    const interest = 10n * UNIT
    const accepts = async (amount: bigint) => {
      const owner = addressOf(key) as Address
      const pool = usdc.params.pool as Address
      const token = usdc.tokenAddress as Address
      const approve = contractCall(token, { abi: erc20Abi, functionName: 'approve', args: [pool, amount] })
      const deposit = contractCall(pool, { abi: poolAbi, functionName: 'supply', args: [token, amount, owner, 0] })
      return (await market.chain.simulate(owner, [approve, deposit])).ok
    }
    expect([await accepts(deposits.room! - interest), await accepts(deposits.room! + UNIT)]).toEqual([true, false])
    await supply(key, usdc, deposits.room! - interest)
    expect((await termsOf()).deposits.room!).toBeLessThan(2n * interest)
    await configure(withCap(1n))
    expect(await termsOf()).toMatchObject({ deposits: { state: 'full', room: 0n } })
    await expect(planOf(key, UNIT)).rejects.toMatchObject({ code: 'STRATEGY_NOT_ACTIVE', details: { reason: 'full' } })
    await configure(withCap(0n))
    expect(await termsOf()).toMatchObject({ deposits: { state: 'open', room: null } })
  })

  test('pays what is not lent out, to the last unit', async () => {
    const key = await market.wallet(usdc, 100n * UNIT)
    await supply(key, usdc, 100n * UNIT)
    const { liquidity } = await termsOf()
    const left = 30n * UNIT
    const args = [usdc.params.pool as Address, liquidity! - left] as const
    const data = encodeFunctionData({ abi: poolStorageAbi, functionName: 'transfer', args })
    await sendAs(usdc.params.aToken!, usdc.tokenAddress, data)
    expect(await positionOf(key)).toMatchObject({ withdrawable: left })
    await unwind(key, usdc, left)
    expect(await balanceOf(usdc.tokenAddress, addressOf(key))).toBe(left)
    expect(await positionOf(key)).toMatchObject({ withdrawable: 0n })
  })
})
