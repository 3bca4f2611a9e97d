import { existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { encodeFunctionData } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test, vi } from 'vitest'
import { isRunning, pidOf, runInChildProcess, useTestCleanup } from '../test-cleanup.ts'
import { readArtifact } from './artifacts.ts'
import { CHAIN_DESIGNS } from './chains.ts'
import { deployMissing } from './deploy.ts'
import { planDeployment } from './plan-deployment.ts'
import { rpcClient } from './rpc.ts'
import { startAnvil } from './start-anvil.ts'
import { type EvmChain, type EvmChainOptions, startEvmChain } from './start-evm-chain.ts'
import { startEvmChains } from './start-evm-chains.ts'
import { contract, strategyOf, tokenContract, tokenOf, user } from './test-chain.ts'

const { defer, temporaryFolder } = useTestCleanup()

async function start(dataDir: string, options: Partial<EvmChainOptions> = {}): Promise<EvmChain> {
  const chain = await startEvmChain({ blockchain: 'base', dataDir, heartbeatSeconds: 0, ...options })
  defer(() => chain.stop())
  return chain
}

test('balances, nonces, receipts and blocks survive a clean restart', async () => {
  const dataDir = temporaryFolder()
  const before = await start(dataDir)
  const { account, write, fund } = user(before)
  const token = tokenOf(before, 'USDC')
  await fund(token, 9n)
  const { transactionHash, blockHash } = await write(tokenContract(token), 'transfer', [before.deployment.lender, 4n])
  await before.stop()

  const after = await start(dataDir)
  const again = user(after)
  expect([before.isNew, after.isNew]).toEqual([true, false])
  expect(after.deployment.genesisHash).toBe(before.deployment.genesisHash)
  expect((await again.client.getTransactionReceipt({ hash: transactionHash })).blockHash).toBe(blockHash)
  expect(await again.client.getTransactionCount({ address: account.address })).toBe(1)
  expect(await again.read<bigint>(tokenContract(token), 'balanceOf', [account.address])).toBe(5n)
})

test('a chain keeps its identity over any number of restarts', async () => {
  const dataDir = temporaryFolder()
  const hashes: string[] = []
  for (let starts = 0; starts < 5; starts++) {
    const chain = await start(dataDir)
    hashes.push(chain.deployment.genesisHash)
    await chain.stop()
  }
  expect(new Set(hashes).size).toBe(1)
})

test("a restart does not turn back the chain's clock", async () => {
  const dataDir = temporaryFolder()
  const before = await start(dataDir)
  const advanced = await before.increaseTime(86_400)
  await before.stop()
  const next = await (await start(dataDir)).mine(1)
  expect(next.number).toBe(advanced.number + 1)
  expect(next.timestamp).toBeGreaterThanOrEqual(advanced.timestamp)
})

test('every new chain has a genesis hash of its own', async () => {
  const { chains, stop } = await startEvmChains({ dataDir: temporaryFolder(), heartbeatSeconds: 0 })
  defer(stop)
  const another = await start(temporaryFolder())
  const hashes = [...chains, another].map((chain) => chain.deployment.genesisHash)
  expect(new Set(hashes).size).toBe(4)
  expect(chains.map((chain) => chain.chainId)).toEqual([31337, 31338, 31339])
})

for (const [damage, spoil] of [
  ['cut off', (path: string) => truncateSync(path, 5_000)],
  ['empty', (path: string) => writeFileSync(path, '')],
  ['something else', (path: string) => writeFileSync(path, '{"hello":"world"}')],
] as const) {
  test(`a state file that is ${damage} is quarantined and the chain starts from scratch`, async () => {
    const dataDir = temporaryFolder()
    await (await start(dataDir)).stop()
    spoil(join(dataDir, 'chains/base.json'))
    const lines: string[] = []
    const chain = await start(dataDir, { log: (line) => lines.push(line) })
    expect(chain.isNew).toBe(true)
    expect(lines.join('\n')).toContain('The saved state of the base chain is damaged')
    expect(existsSync(join(dataDir, 'chains/base.quarantined-1.json'))).toBe(true)
  })
}

test('a saved chain of another release is quarantined and the chain starts from scratch', async () => {
  const dataDir = temporaryFolder()
  const before = await start(dataDir)
  const { provider } = planDeployment(CHAIN_DESIGNS.base)
  const market = contract('aave-v3/PoolAddressesProvider', provider)
  const treasury = privateKeyToAccount(before.deployment.treasury.privateKey)
  await user(before).write(market, 'setMarketId', ['Weir development market 0'], treasury)
  await before.stop()
  const lines: string[] = []
  const after = await start(dataDir, { log: (line) => lines.push(line) })
  expect(after.isNew).toBe(true)
  expect(after.deployment.genesisHash).not.toBe(before.deployment.genesisHash)
  expect(lines.join('\n')).toContain('does not fit this release')
})

test('an interrupted deployment is completed at the next start', async () => {
  const dataDir = temporaryFolder()
  const plan = planDeployment(CHAIN_DESIGNS.base)
  const cutOff = await startAnvil({
    name: 'base',
    chainId: 31339,
    directory: join(dataDir, 'chains'),
    saveEverySeconds: 60,
    startTimeoutMs: 10_000,
    log: () => {},
  })
  expect(await deployMissing(cutOff.rpc, { ...plan, steps: plan.steps.slice(0, 30) })).toBe(30)
  await cutOff.stop()

  const chain = await start(dataDir)
  const { read } = user(chain)
  const { params } = strategyOf(chain, 'aave-v3', 'aave-v3:base:USDC')
  expect(await read<bigint>(contract('aave-v3/AToken', params.aToken), 'totalSupply')).toBeGreaterThan(0n)
  expect(await deployMissing(rpcClient(chain.url), plan)).toBe(0)
})

test('a chain of an earlier release gets what was added since, and keeps its money and its treasury', async () => {
  const dataDir = temporaryFolder()
  const plan = planDeployment(CHAIN_DESIGNS.polygon)
  const earlier = await startAnvil({
    name: 'polygon',
    chainId: 31338,
    directory: join(dataDir, 'chains'),
    saveEverySeconds: 60,
    startTimeoutMs: 10_000,
    log: () => {},
  })
  await deployMissing(earlier.rpc, { ...plan, steps: plan.steps.filter(({ role }) => role !== 'curator'), grants: [] })
  // The faucet paid somebody: the treasury's nonce is past the deployment's.
  const { address } = plan.accounts.treasury
  const mint = {
    abi: readArtifact('weir/DevToken').abi,
    functionName: 'mint',
    args: [plan.accounts.lender.address, 7n],
  }
  await earlier.rpc.call('anvil_impersonateAccount', [address])
  const hash = await earlier.rpc.call('eth_sendTransaction', [
    { from: address, to: plan.tokens[0]!.address, data: encodeFunctionData(mint) },
  ])
  await vi.waitFor(async () => expect(await earlier.rpc.call('eth_getTransactionReceipt', [hash])).not.toBeNull(), {
    timeout: 30_000,
  })
  const nonce = await earlier.rpc.call('eth_getTransactionCount', [address, 'latest'])
  await earlier.stop()

  const chain = await start(dataDir, { blockchain: 'polygon' })
  const { read } = user(chain)
  expect(chain.isNew).toBe(false)
  expect(await rpcClient(chain.url).call('eth_getTransactionCount', [address, 'latest'])).toBe(nonce)
  expect(await read<bigint>(tokenContract(tokenOf(chain, 'USDC')), 'balanceOf', [plan.accounts.lender.address])).toBe(
    7n,
  )
  for (const key of ['lending-aave', 'lending-markets', 'v2']) {
    const { totalAssets } = await chain.strategyState(`erc4626:polygon:USDC:${key}`)
    expect(totalAssets).toBeGreaterThan(999_999_999_999n)
  }
})

test('stop can be called twice and leaves no process', async () => {
  const dataDir = temporaryFolder()
  const chain = await start(dataDir)
  const pid = pidOf(dataDir, 'base')
  await Promise.all([chain.stop(), chain.stop()])
  expect(isRunning(pid)).toBe(false)
})

test('onExit reports a chain that exits on its own, not one that is stopped', async () => {
  const dataDir = temporaryFolder()
  const onExit = vi.fn()
  await (await start(dataDir, { onExit })).stop()
  expect(onExit).not.toHaveBeenCalled()
  await start(dataDir, { onExit })
  process.kill(pidOf(dataDir, 'base'), 'SIGKILL')
  await vi.waitFor(() => expect(onExit).toHaveBeenCalledOnce(), { timeout: 30_000 })
  expect(onExit.mock.calls[0]).toEqual(['base', { code: 137, signal: null }])
})

test('a chain that is killed without warning resumes from its last save', async () => {
  const dataDir = temporaryFolder()
  const onExit = vi.fn()
  await start(dataDir, { saveEverySeconds: 1, onExit })
  await vi.waitFor(() => JSON.parse(readFileSync(join(dataDir, 'chains/base.json'), 'utf8')), { timeout: 30_000 })
  process.kill(pidOf(dataDir, 'base'), 'SIGKILL')
  await vi.waitFor(() => expect(onExit).toHaveBeenCalledOnce(), { timeout: 30_000 })
  expect((await start(dataDir)).isNew).toBe(false)
})

test('when the parent is killed without warning the chain saves its state and exits', async () => {
  const dataDir = temporaryFolder()
  const parent = runInChildProcess(`
    const chain = await devnet.startEvmChain({ blockchain: 'base', dataDir: ${JSON.stringify(dataDir)} })
    console.log((await chain.mine(42)).number)`)
  defer(parent.kill)
  const height = Number(await parent.told)
  const pid = pidOf(dataDir, 'base')
  parent.kill()
  // Starts at the same moment: it waits for its predecessor and finds the state that it saved.
  const chain = await start(dataDir)
  expect(isRunning(pid)).toBe(false)
  expect(chain.isNew).toBe(false)
  expect((await chain.mine(1)).number).toBe(height + 1)
})

test('a folder in use by another chain is refused with an error that names it', async () => {
  const dataDir = temporaryFolder()
  await start(dataDir)
  await expect(start(dataDir, { startTimeoutMs: 50 })).rejects.toThrow(`is in use: process ${pidOf(dataDir, 'base')}`)
})

test('a missing anvil is reported by name', async () => {
  await expect(start(temporaryFolder(), { anvilPath: '/nowhere/anvil' })).rejects.toThrow('/nowhere/anvil')
})

test('a failed start of one chain leaves none running', async () => {
  const dataDir = temporaryFolder()
  await start(dataDir)
  await expect(startEvmChains({ dataDir, startTimeoutMs: 3_000 })).rejects.toThrow('is in use')
  for (const name of readdirSync(join(dataDir, 'chains')).filter((file) => /^(ethereum|polygon)\.pid$/.test(file))) {
    expect(isRunning(pidOf(dataDir, name.replace('.pid', '')))).toBe(false)
  }
})
