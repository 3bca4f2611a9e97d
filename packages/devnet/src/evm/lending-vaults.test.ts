import { maxUint256, parseUnits } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CHAIN_DESIGNS } from './chains.ts'
import { planDeployment } from './plan-deployment.ts'
import { type EvmChain, startEvmChain } from './start-evm-chain.ts'
import { type Contract, contract, strategyOf, temporaryFolder, tokenContract, tokenOf, user } from './test-chain.ts'

const YEAR = 31_536_000
const usd = (amount: string) => parseUnits(amount, 6)
const folder = temporaryFolder()
const { accounts } = planDeployment(CHAIN_DESIGNS.polygon)
const governor = privateKeyToAccount(accounts.governor.privateKey)
let chain: EvmChain

beforeAll(async () => {
  chain = await startEvmChain({ blockchain: 'polygon', dataDir: folder.path, heartbeatSeconds: 0 })
})

afterAll(async () => {
  await chain?.stop()
  folder.remove()
})

const KINDS = [
  ['lending-aave', 'AaveLendingVault'],
  ['lending-markets', 'MarketsVault'],
  ['v2', 'SilentVault'],
] as const

function vaultOf(kind: (typeof KINDS)[number][0]): Contract {
  const [, path] = KINDS.find(([name]) => name === kind)!
  return contract(`weir/${path}`, strategyOf(chain, 'erc4626', `erc4626:polygon:USDC:${kind}`).params.vault)
}

/** A wallet with this much USDC, approved for the vault, and what it does most. */
async function depositor(vault: Contract, amount: bigint) {
  const { account, write, read, fund } = user(chain)
  const usdc = tokenContract(tokenOf(chain, 'USDC'))
  await fund(tokenOf(chain, 'USDC'), amount)
  await write(usdc, 'approve', [vault.address, maxUint256])
  return {
    account,
    write,
    read,
    usdc,
    deposit: (assets: bigint) => write(vault, 'deposit', [assets, account.address]),
    withdraw: (assets: bigint) => write(vault, 'withdraw', [assets, account.address, account.address]),
    redeem: (shares: bigint) => write(vault, 'redeem', [shares, account.address, account.address]),
    shares: () => read<bigint>(vault, 'balanceOf', [account.address]),
    tokens: () => read<bigint>(usdc, 'balanceOf', [account.address]),
    max: (name: 'maxDeposit' | 'maxWithdraw' | 'maxRedeem') => read<bigint>(vault, name, [account.address]),
    value: async (shares: bigint) => read<bigint>(vault, 'convertToAssets', [shares]),
  }
}

for (const [kind] of KINDS) {
  test(`${kind} keeps no tokens, earns from borrowers, and a full redemption leaves no share`, async () => {
    const vault = vaultOf(kind)
    const wallet = await depositor(vault, usd('1000'))
    await wallet.deposit(usd('1000'))
    expect(await wallet.read<bigint>(wallet.usdc, 'balanceOf', [vault.address])).toBe(0n)
    await chain.increaseTime(YEAR)
    const shares = await wallet.shares()
    const value = await wallet.value(shares)
    expect(value).toBeGreaterThan(usd('1020'))
    // Below Aave's own rate, which the catalogue's best strategies exceed.
    expect(value).toBeLessThan(usd('1042'))
    await wallet.redeem(shares)
    expect(await wallet.tokens()).toBeGreaterThanOrEqual(value)
    expect(await wallet.shares()).toBe(0n)
  })

  test(`${kind} pays no more than its borrowers left, and the rest when it returns`, async () => {
    const vault = vaultOf(kind)
    const wallet = await depositor(vault, usd('5000'))
    await wallet.deposit(usd('5000'))
    await chain.setStrategyState(keyOf(kind), { liquidity: 'leave' })
    expect(await wallet.read<bigint>(vault, 'liquidity', [])).toBe(0n)
    await expect(wallet.withdraw(usd('1'))).rejects.toThrow()
    await chain.setStrategyState(keyOf(kind), { liquidity: 'return', amount: usd('2000') })
    const liquid = await wallet.read<bigint>(vault, 'liquidity', [])
    expect(liquid).toBe(usd('2000'))
    if (kind !== 'v2') expect(await wallet.max('maxWithdraw')).toBe(liquid)
    await expect(wallet.withdraw(usd('2000.000001'))).rejects.toThrow('ERC4626ExceededMaxWithdraw')
    await wallet.withdraw(usd('1500'))
    await chain.setStrategyState(keyOf(kind), { liquidity: 'return' })
    await wallet.redeem(await wallet.shares())
    expect(await wallet.shares()).toBe(0n)
  })

  test(`${kind} refuses deposits above its cap and everything while it is paused`, async () => {
    const vault = vaultOf(kind)
    const wallet = await depositor(vault, usd('3000'))
    await wallet.deposit(usd('1000'))
    await chain.setStrategyState(keyOf(kind), { depositCap: 0n })
    await expect(wallet.deposit(1n)).rejects.toThrow('ERC4626ExceededMaxDeposit')
    await chain.setStrategyState(keyOf(kind), { depositCap: null })
    await chain.setStrategyState(keyOf(kind), { paused: true })
    await expect(wallet.deposit(usd('1'))).rejects.toThrow('ERC4626ExceededMaxDeposit')
    await expect(wallet.withdraw(usd('1'))).rejects.toThrow('ERC4626ExceededMaxWithdraw')
    await chain.setStrategyState(keyOf(kind), { paused: false })
    await wallet.deposit(usd('1'))
    await wallet.withdraw(usd('1'))
  })

  test(`a loss lowers the price of ${kind} and every holder bears it until it is made good`, async () => {
    const vault = vaultOf(kind)
    const wallet = await depositor(vault, usd('10000'))
    await wallet.deposit(usd('10000'))
    await chain.setStrategyState(keyOf(kind), { lossBasisPoints: 300 })
    const shares = await wallet.shares()
    const afterLoss = await wallet.value(shares)
    expect(afterLoss).toBeGreaterThan(usd('9699'))
    expect(afterLoss).toBeLessThan(usd('9701'))
    await chain.setStrategyState(keyOf(kind), { lossBasisPoints: 0 })
    // The fee takes its part of what was made good only if the vault counts it as yield, which it does not.
    const restored = await wallet.value(shares)
    expect(restored).toBeGreaterThan(usd('9999'))
    expect(restored).toBeLessThan(usd('10001'))
    await wallet.redeem(shares)
  })
}

test('the governor takes its fee as shares, and no other part of the yield', async () => {
  const vault = vaultOf('lending-aave')
  const wallet = await depositor(vault, usd('1000'))
  const feeShares = () => wallet.read<bigint>(vault, 'balanceOf', [governor.address])
  await wallet.write(vault, 'accrue', [])
  const [feeBefore, assetsBefore] = [await feeShares(), await wallet.read<bigint>(vault, 'totalAssets', [])]
  await chain.increaseTime(YEAR)
  await wallet.write(vault, 'accrue', [])
  const yielded = (await wallet.read<bigint>(vault, 'totalAssets', [])) - assetsBefore
  const fee = await wallet.value((await feeShares()) - feeBefore)
  expect(fee).toBeGreaterThanOrEqual(yielded / 10n - 2n)
  expect(fee).toBeLessThanOrEqual(yielded / 10n + 2n)
})

test('the max functions of v2 return 0 although it accepts deposits and withdrawals', async () => {
  const wallet = await depositor(vaultOf('v2'), usd('100'))
  await wallet.deposit(usd('100'))
  expect([await wallet.max('maxDeposit'), await wallet.max('maxWithdraw'), await wallet.max('maxRedeem')]).toEqual([
    0n,
    0n,
    0n,
  ])
  await wallet.withdraw(usd('40'))
  expect(await wallet.tokens()).toBe(usd('40'))
})

test('only the governor changes the state of a vault', async () => {
  const { write, fund } = user(chain)
  await fund(tokenOf(chain, 'USDC'), 1n)
  for (const [kind] of KINDS) {
    await expect(write(vaultOf(kind), 'setPaused', [true])).rejects.toThrow('NotGovernor')
    await expect(write(vaultOf(kind), 'setCap', [0n])).rejects.toThrow('NotGovernor')
    await expect(write(vaultOf(kind), 'setFee', [0n])).rejects.toThrow('NotGovernor')
  }
})

function keyOf(kind: string): string {
  return `erc4626:polygon:USDC:${kind}`
}
