import { encodeFunctionData, maxUint256, parseAbi, parseEther, parseUnits, zeroAddress } from 'viem'
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

test('USDT returns nothing from transfer, transferFrom and approve', async () => {
  const { client, account, fund } = user(chain)
  const token = tokenOf(chain, 'USDT')
  await fund(token, 1_000_000n)
  const calls = [
    ['transfer', [zeroAddress.replace(/0$/, '1'), 5n]],
    ['approve', [zeroAddress.replace(/0$/, '1'), 5n]],
    ['transferFrom', [account.address, account.address, 0n]],
  ] as const
  for (const [functionName, args] of calls) {
    const data = encodeFunctionData({ abi: tokenContract(token).abi, functionName, args: [...args] })
    expect((await client.call({ account: account.address, to: token.address, data })).data).toBeUndefined()
  }
})

test('USDT refuses to change a non-zero allowance until it is reset to zero', async () => {
  const { account, write, read, fund } = user(chain)
  const tether = tokenContract(tokenOf(chain, 'USDT'))
  const spender = chain.deployment.lender
  await fund(tokenOf(chain, 'USDT'), 1_000_000n)
  await write(tether, 'approve', [spender, 5n])
  await expect(write(tether, 'approve', [spender, 6n])).rejects.toThrow('set the allowance to zero first')
  await write(tether, 'approve', [spender, 0n])
  await write(tether, 'approve', [spender, 6n])
  expect(await read<bigint>(tether, 'allowance', [account.address, spender])).toBe(6n)
})

test('only the treasury mints tokens', async () => {
  const { account, write, fund } = user(chain)
  for (const token of chain.deployment.tokens) {
    await fund(token, 1n)
    await expect(write(tokenContract(token), 'mint', [account.address, 1n])).rejects.toThrow('NotMinter')
  }
})

test('every vault with a fixed rate pays it and a full redemption leaves no share behind', async () => {
  const { account, write, read, fund } = user(chain)
  const amount = parseUnits('1000', 6)
  const vaults = chain.deployment.strategies.flatMap(({ protocol, params, token }) =>
    protocol === 'erc4626' && params.rateBasisPoints !== null
      ? [{ params: { ...params, rateBasisPoints: params.rateBasisPoints }, token }]
      : [],
  )
  expect(vaults).toHaveLength(5)
  for (const { params, token } of vaults) {
    const vault = contract('weir/YieldVault', params.vault)
    await fund(tokenOf(chain, token), amount)
    await write(tokenContract(tokenOf(chain, token)), 'approve', [vault.address, amount])
    await write(vault, 'deposit', [amount, account.address])
  }
  await chain.increaseTime(YEAR)
  for (const { params, token } of vaults) {
    const vault = contract('weir/YieldVault', params.vault)
    const coin = tokenContract(tokenOf(chain, token))
    const shares = await read<bigint>(vault, 'balanceOf', [account.address])
    const before = await read<bigint>(coin, 'balanceOf', [account.address])
    await write(vault, 'redeem', [shares, account.address, account.address])
    const paid = (await read<bigint>(coin, 'balanceOf', [account.address])) - before
    const promised = amount + (amount * BigInt(params.rateBasisPoints)) / 10_000n
    // Rounded against the depositor; a few seconds of yield on top.
    expect(paid).toBeGreaterThanOrEqual(promised - 2n)
    expect(paid).toBeLessThan(promised + 1_000n)
    expect(await read<bigint>(vault, 'balanceOf', [account.address])).toBe(0n)
  }
})

test('Capped refuses more than 100,000 tokens in one deposit, the others refuse nothing', async () => {
  const { read } = user(chain)
  const limit = async (key: string) => {
    const { params } = strategyOf(chain, 'erc4626', key)
    return read<bigint>(contract('weir/YieldVault', params.vault), 'maxDeposit', [chain.deployment.lender])
  }
  expect(await limit('erc4626:polygon:USDC:capped')).toBe(100_000_000_000n)
  expect(await limit('erc4626:polygon:USDC:paused')).toBe(maxUint256)
})

test('Multicall3 is at its well-known address: aggregate3, a failing call, native balances', async () => {
  const { client, account, fund } = user(chain)
  const token = tokenOf(chain, 'USDC')
  await fund(token, 7n)
  const erc20 = parseAbi(['function balanceOf(address) view returns (uint256)', 'function nothing() view'])
  const native = parseAbi(['function getEthBalance(address) view returns (uint256)'])
  const results = await client.multicall({
    contracts: [
      { address: token.address, abi: erc20, functionName: 'balanceOf', args: [account.address] },
      { address: token.address, abi: erc20, functionName: 'nothing' },
      { address: chain.deployment.multicall3, abi: native, functionName: 'getEthBalance', args: [account.address] },
    ],
  })
  expect(results.map((result) => result.status)).toEqual(['success', 'failure', 'success'])
  expect(results[0]?.result).toBe(7n)
  expect(results[2]?.result).toBe(parseEther('1'))
})
