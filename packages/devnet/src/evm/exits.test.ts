import { encodeDeployData, type Hash, maxUint256, parseUnits } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Artifact, readArtifact } from './artifacts.ts'
import { CHAIN_DESIGNS } from './chains.ts'
import { planDeployment } from './plan-deployment.ts'
import { rpcClient } from './rpc.ts'
import { type EvmChain, startEvmChain } from './start-evm-chain.ts'
import { type Contract, contract, temporaryFolder, tokenContract, tokenOf, user } from './test-chain.ts'

const DAY = 86_400
const usd = (amount: string) => parseUnits(amount, 6)
/** 5 % a year in rays a second. */
const RATE = (5n * 10n ** 25n) / 31_536_000n
const folder = temporaryFolder()
const { accounts } = planDeployment(CHAIN_DESIGNS.base)
const governor = privateKeyToAccount(accounts.governor.privateKey)
let chain: EvmChain
let queue: Contract
let cooling: Contract

beforeAll(async () => {
  chain = await startEvmChain({ blockchain: 'base', dataDir: folder.path, heartbeatSeconds: 0 })
  queue = await deploy('weir/AsyncRedeemVault', ['Async USDC', 'asUSDC', RATE, governor.address])
  cooling = await deploy('weir/CooldownVault', ['Cooldown USDC', 'cdUSDC', RATE, governor.address, BigInt(7 * DAY)])
})
afterAll(async () => {
  await chain?.stop()
  folder.remove()
})

/** Deploys a vault over USDC and lets it mint its yield. */
async function deploy(path: string, args: readonly unknown[]): Promise<Contract> {
  const rpc = rpcClient(chain.url)
  const usdc = tokenContract(tokenOf(chain, 'USDC'))
  const { abi, bytecode } = readArtifact(path) as Artifact & { readonly bytecode: `0x${string}` }
  const from = accounts.treasury.address
  await rpc.call('anvil_impersonateAccount', [from])
  const data = encodeDeployData({ abi, bytecode, args: [usdc.address, ...args] })
  const { client, write } = user(chain)
  const hash = await rpc.call<Hash>('eth_sendTransaction', [{ from, data }])
  const { contractAddress } = await client.waitForTransactionReceipt({ hash })
  await rpc.call('anvil_stopImpersonatingAccount', [from])
  await write(usdc, 'setMinter', [contractAddress, true], privateKeyToAccount(accounts.treasury.privateKey))
  return contract(path, contractAddress!)
}

async function depositor(vault: Contract, amount: bigint) {
  const wallet = user(chain)
  const { account, write, read, fund } = wallet
  const usdc = tokenContract(tokenOf(chain, 'USDC'))
  await fund(tokenOf(chain, 'USDC'), amount)
  await write(usdc, 'approve', [vault.address, maxUint256])
  await write(vault, 'deposit', [amount, account.address])
  return {
    ...wallet,
    own: account.address,
    call: (functionName: string, ...args: readonly unknown[]) => write(vault, functionName, args),
    view: <Result>(functionName: string, ...args: readonly unknown[]) => read<Result>(vault, functionName, args),
    shares: () => read<bigint>(vault, 'balanceOf', [account.address]),
    tokens: () => read<bigint>(usdc, 'balanceOf', [account.address]),
  }
}

const settle = () => user(chain).write(queue, 'settle', [], governor)

test('a redemption is requested, waits, is settled at the price of that moment, and is claimed', async () => {
  const { own, call, view, shares, tokens } = await depositor(queue, usd('1000'))
  const held = await shares()
  const [pending, claimable] = [
    () => view<bigint>('pendingRedeemRequest', 0n, own),
    () => view<bigint>('claimableRedeemRequest', 0n, own),
  ]
  await call('requestRedeem', held, own, own)
  expect([await shares(), await pending(), await claimable()]).toEqual([0n, held, 0n])
  await expect(call('redeem', held, own, own)).rejects.toThrow('ExceedsClaimable')

  await chain.increaseTime(365 * DAY)
  const worth = await view<bigint>('convertToAssets', held)
  expect(worth).toBeGreaterThan(usd('1049'))
  await settle()
  expect([await pending(), await claimable()]).toEqual([0n, held])
  const settled = await view<bigint>('maxWithdraw', own)
  expect(settled).toBeGreaterThanOrEqual(worth)
  // From here on it earns nothing.
  await chain.increaseTime(365 * DAY)
  expect(await view<bigint>('maxWithdraw', own)).toBe(settled)

  await call('withdraw', usd('400'), own, own)
  expect(await tokens()).toBe(usd('400'))
  await call('redeem', await claimable(), own, own)
  expect(await tokens()).toBe(settled)
  expect([await claimable(), await view<bigint>('maxRedeem', own)]).toEqual([0n, 0n])
})

test('requests of different epochs add up, and those of others are not touched', async () => {
  const [one, other] = [await depositor(queue, usd('500')), await depositor(queue, usd('500'))]
  const part = (await one.shares()) / 4n
  await one.call('requestRedeem', part, one.own, one.own)
  await settle()
  await one.call('requestRedeem', part, one.own, one.own)
  await other.call('requestRedeem', part, other.own, other.own)
  expect(await one.view<bigint>('claimableRedeemRequest', 0n, one.own)).toBe(part)
  expect(await one.view<bigint>('pendingRedeemRequest', 0n, one.own)).toBe(part)
  expect(await one.view<bigint>('claimableRedeemRequest', 0n, other.own)).toBe(0n)
  await settle()
  expect(await one.view<bigint>('claimableRedeemRequest', 0n, one.own)).toBe(2n * part)
  await one.call('redeem', 2n * part, one.own, one.own)
  await other.call('redeem', part, other.own, other.own)
  for (const tokens of [(await one.tokens()) / 2n, await other.tokens()]) {
    expect(tokens).toBeGreaterThan(usd('124.99'))
    expect(tokens).toBeLessThan(usd('125.01'))
  }
})

test('only the controller or its operator claims, only the governor settles, and previews of exits revert', async () => {
  const [owner, stranger] = [await depositor(queue, usd('10')), await depositor(queue, usd('10'))]
  const held = await owner.shares()
  await expect(stranger.call('requestRedeem', held, stranger.own, owner.own)).rejects.toThrow()
  await expect(stranger.call('settle')).rejects.toThrow('NotGovernor')
  await owner.call('requestRedeem', held, owner.own, owner.own)
  await settle()
  await expect(stranger.call('redeem', held, stranger.own, owner.own)).rejects.toThrow('NotAuthorized')
  await owner.call('setOperator', stranger.own, true)
  await stranger.call('redeem', held, owner.own, owner.own)
  expect(await owner.tokens()).toBeGreaterThan(usd('9.99'))
  await expect(owner.view('previewRedeem', 1n)).rejects.toThrow('PreviewNotSupported')
  await expect(owner.view('previewWithdraw', 1n)).rejects.toThrow('PreviewNotSupported')
  expect(await owner.view('supportsInterface', '0x620ee8e4')).toBe(true)
})

test('a cooldown burns shares at once and pays when its time is over', async () => {
  const { own, call, view, shares, tokens } = await depositor(cooling, usd('1000'))
  // As on public chains, the bounds say nothing about the cooldown.
  expect(await view<bigint>('maxWithdraw', own)).toBeGreaterThan(usd('999'))
  await expect(call('withdraw', 1n, own, own)).rejects.toThrow('CooldownActive')
  await expect(call('redeem', 1n, own, own)).rejects.toThrow('CooldownActive')
  await expect(call('unstake', own)).rejects.toThrow('NothingToClaim')

  await call('cooldownAssets', usd('400'))
  await chain.increaseTime(5 * DAY)
  await call('cooldownShares', await shares())
  expect(await shares()).toBe(0n)
  const [end, owed] = await view<readonly [bigint, bigint]>('cooldowns', own)
  expect(owed).toBeGreaterThan(usd('1000'))
  // The second cooldown restarted the time of the first.
  await chain.increaseTime(3 * DAY)
  await expect(call('unstake', own)).rejects.toThrow('StillCooling')
  await chain.increaseTime(5 * DAY)
  expect(BigInt((await chain.mine(1)).timestamp)).toBeGreaterThan(end)
  await call('unstake', own)
  expect(await tokens()).toBe(owed)
})

test('a cooldown of 0 lets everyone claim and withdraw at once', async () => {
  const { own, call, shares, tokens } = await depositor(cooling, usd('100'))
  await call('cooldownAssets', usd('50'))
  await user(chain).write(cooling, 'setCooldownDuration', [0n], governor)
  await call('unstake', own)
  await call('redeem', await shares(), own, own)
  expect(await tokens()).toBeGreaterThanOrEqual(usd('99.999999'))
  await user(chain).write(cooling, 'setCooldownDuration', [BigInt(7 * DAY)], governor)
})
