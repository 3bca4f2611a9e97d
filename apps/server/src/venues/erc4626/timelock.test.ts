import { readFileSync } from 'node:fs'
import {
  createPublicClient,
  createWalletClient,
  getAddress,
  http,
  maxUint256,
  parseAbi,
  toFunctionSelector,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Market, startMarket } from '../../../testing/venues/market.ts'
import { contractCall } from '../evm/contract-call.ts'
import { erc4626 } from './index.ts'
import { timelockFrom } from './timelock.ts'

const DAY = 86_400
const WEEK = BigInt(7 * DAY)
const USDC_VAULT = 'erc4626:polygon:USDC:capped'
const CURATED = new URL('../../../../../packages/devnet/artifacts/weir/CuratedVault.json', import.meta.url)

let market: Market
beforeAll(async () => {
  market = await startMarket('polygon')
})
afterAll(() => market.stop())

/** A vault with one delay, or with one for each function. */
async function deploy(perFunction: boolean): Promise<string> {
  const listed = market.strategy(USDC_VAULT)
  const account = privateKeyToAccount(await market.wallet(listed, 1_000_000n))
  const transport = http(market.devnet.url)
  const { abi, bytecode } = JSON.parse(readFileSync(CURATED, 'utf8'))
  const contract = { abi, bytecode, args: [listed.tokenAddress, perFunction], chain: null }
  const hash = await createWalletClient({ account, transport }).deployContract(contract)
  const { contractAddress } = await createPublicClient({ transport }).waitForTransactionReceipt({ hash })
  return contractAddress!
}

async function timelockOf(vault?: string): Promise<number | undefined> {
  const listed = market.strategy(USDC_VAULT)
  const strategy = vault === undefined ? listed : { ...listed, params: { vault } }
  const [rates] = await erc4626.rates(market.chain, [{ strategy, past: undefined }])
  return rates!.timelockSeconds
}

test('a vault with one delay reports it', async () => {
  expect(await timelockOf(await deploy(false))).toBe(3 * DAY)
})

test('where each function has its own, the shortest of those that add risk counts', async () => {
  expect(await timelockOf(await deploy(true))).toBe(2 * DAY)
})

test('a function that its curator gave up does not count, though its delay stays; three of them have no delay', async () => {
  const vault = getAddress(await deploy(true))
  const key = await market.wallet(market.strategy(USDC_VAULT), 1_000_000n)
  const giveUp = async (signature: string) => {
    const abi = parseAbi(['function abdicate(bytes4 selector)'])
    const call = { abi, functionName: 'abdicate', args: [toFunctionSelector(signature)] } as const
    await market.send(key, [contractCall(vault, call)])
  }
  await giveUp('increaseRelativeCap(bytes,uint256)')
  expect(await timelockOf(vault)).toBe(7 * DAY)
  await giveUp('increaseAbsoluteCap(bytes,uint256)')
  expect(await timelockOf(vault)).toBe(14 * DAY)
  await giveUp('addAdapter(address)')
  expect(await timelockOf(vault)).toBeUndefined()
})

test('a vault that does not know these functions reports none', async () => {
  expect(await timelockOf()).toBeUndefined()
})

test('a value that cannot be such a delay counts as none', () => {
  expect(timelockFrom([undefined, 0n, WEEK, WEEK])).toBe(0)
  expect(timelockFrom([undefined, WEEK, WEEK, undefined])).toBeUndefined()
  expect(timelockFrom([undefined, WEEK, WEEK, maxUint256]), 'one that was given up').toBe(Number(WEEK))
  expect(timelockFrom([2n ** 159n, undefined, undefined, undefined]), 'the address of a contract').toBeUndefined()
})
