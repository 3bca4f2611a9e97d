import { maxUint256, parseUnits } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EvmChain, startEvmChain } from './start-evm-chain.ts'
import { contract, strategyOf, temporaryFolder, tokenContract, tokenOf, user } from './test-chain.ts'

const YEAR = 31_536_000
const folder = temporaryFolder()
let chain: EvmChain

beforeAll(async () => {
  chain = await startEvmChain({ blockchain: 'polygon', dataDir: folder.path, heartbeatSeconds: 0 })
})

afterAll(async () => {
  await chain?.stop()
  folder.remove()
})

type Reserve = { readonly aTokenAddress: string; readonly currentLiquidityRate: bigint }

for (const symbol of ['USDC', 'USDT']) {
  test(`${symbol} supplied to Aave earns between 2 and 6 % in a year and all of it can be withdrawn`, async () => {
    const { account, write, read, fund } = user(chain)
    const token = tokenOf(chain, symbol)
    const { params } = strategyOf(chain, 'aave-v3', `aave-v3:polygon:${symbol}`)
    const pool = contract('aave-v3/Pool', params.pool)
    const aToken = contract('aave-v3/AToken', params.aToken)
    const amount = parseUnits('300000', 6)
    await fund(token, amount)
    await write(tokenContract(token), 'approve', [pool.address, amount])
    await write(pool, 'supply', [token.address, amount, account.address, 0])
    const reserve = await read<Reserve>(pool, 'getReserveData', [token.address])
    expect(reserve.aTokenAddress).toBe(params.aToken)
    const percent = Number(reserve.currentLiquidityRate / 10n ** 21n) / 10_000
    expect(percent).toBeGreaterThan(2)
    expect(percent).toBeLessThan(6)

    await chain.increaseTime(YEAR)

    const grown = await read<bigint>(aToken, 'balanceOf', [account.address])
    expect(grown).toBeGreaterThan((amount * 102n) / 100n)
    expect(grown).toBeLessThan((amount * 106n) / 100n)
    await write(pool, 'withdraw', [token.address, maxUint256, account.address])
    expect(await read<bigint>(tokenContract(token), 'balanceOf', [account.address])).toBeGreaterThanOrEqual(grown)
    expect(await read<bigint>(aToken, 'scaledBalanceOf', [account.address])).toBe(0n)
  })
}

test('after ten years the borrower is far from liquidation, the rate sound and the pool liquid', async () => {
  const { account, write, read, fund } = user(chain)
  const token = tokenOf(chain, 'USDC')
  const { params } = strategyOf(chain, 'aave-v3', 'aave-v3:polygon:USDC')
  const pool = contract('aave-v3/Pool', params.pool)
  const amount = parseUnits('1000', 6)
  await fund(token, 10n * amount)
  await write(tokenContract(token), 'approve', [pool.address, maxUint256])
  for (let year = 0; year < 10; year++) {
    await chain.increaseTime(YEAR)
    // The pool recalculates its rate at every interaction.
    await write(pool, 'supply', [token.address, amount, account.address, 0])
  }
  const [, debt, , , , healthFactor] = await read<readonly bigint[]>(pool, 'getUserAccountData', [
    chain.deployment.borrower,
  ])
  expect(debt).toBeGreaterThan(0n)
  expect(healthFactor).toBeGreaterThan(5n * 10n ** 18n)
  const reserve = await read<Reserve>(pool, 'getReserveData', [token.address])
  expect(reserve.currentLiquidityRate).toBeGreaterThan(2n * 10n ** 25n)
  expect(reserve.currentLiquidityRate).toBeLessThan(10n ** 26n)
  expect(await read<bigint>(tokenContract(token), 'balanceOf', [params.aToken])).toBeGreaterThan(30_000_000_000_000n)
})

test('the pool refuses to withdraw more than is supplied', async () => {
  const { account, write, fund } = user(chain)
  const token = tokenOf(chain, 'USDC')
  const { params } = strategyOf(chain, 'aave-v3', 'aave-v3:polygon:USDC')
  await fund(token, 1_000_000n)
  const withdrawal = write(contract('aave-v3/Pool', params.pool), 'withdraw', [token.address, 1n, account.address])
  // Aave's NOT_ENOUGH_AVAILABLE_USER_BALANCE.
  await expect(withdrawal).rejects.toThrow('32')
})

test('a reserve is borrowed out, frozen, paused and full, and back, whatever the token returns', async () => {
  for (const symbol of ['USDC', 'USDT']) {
    const { account, write, fund } = user(chain)
    const token = tokenOf(chain, symbol)
    const key = `aave-v3:polygon:${symbol}`
    const pool = contract('aave-v3/Pool', strategyOf(chain, 'aave-v3', key).params.pool)
    await fund(token, 10_000_000n)
    await write(tokenContract(token), 'approve', [pool.address, 10_000_000n])
    const supply = () => write(pool, 'supply', [token.address, 1_000_000n, account.address, 0])
    const withdraw = () => write(pool, 'withdraw', [token.address, 1_000_000n, account.address])
    await supply()

    for (let round = 0; round < 2; round++) {
      expect((await chain.setStrategyState(key, { liquidity: 'leave' })).liquidity).toBe(0n)
      await expect(withdraw()).rejects.toThrow()
      expect((await chain.setStrategyState(key, { liquidity: 'return' })).liquidity).toBeGreaterThan(10_000_000n)
      await withdraw()
      await supply()
    }
    await chain.setStrategyState(key, { frozen: true })
    await expect(supply()).rejects.toThrow('28')
    await chain.setStrategyState(key, { frozen: false })
    await chain.setStrategyState(key, { depositCap: 0n })
    await expect(supply()).rejects.toThrow('51')
    await chain.setStrategyState(key, { depositCap: null })
    await chain.setStrategyState(key, { paused: true })
    await expect(withdraw()).rejects.toThrow('29')
    await chain.setStrategyState(key, { paused: false })
    await supply()
    await withdraw()
  }
})
