import { readFileSync } from 'node:fs'
import {
  type Abi,
  encodeDeployData,
  encodeFunctionData,
  getAddress,
  type Hex,
  maxUint256,
  numberToHex,
  parseAbi,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { createEvmChain, type EvmChain, LIVE_EVM_NETWORKS } from '../../src/chains/index.ts'
import { silentLog, systemClock } from '../../src/kernel/index.ts'
import { liveSeeds } from '../../src/venues/index.ts'
import { startTestChain } from './test-chain.ts'

/** A private chain that looks like Base: its chain id, and a token and vaults at the catalogue's addresses. */
export interface BaseChain {
  readonly url: string
  /** The catalogue's name of a vault that accepts deposits. */
  readonly vault: string
  /** A vault that the catalogue does not list. */
  readonly unlistedVault: string
  /** As a service with BASE_CONFIRMATIONS=1 sees it. */
  readonly chain: EvmChain
  /** Mints USDC, and sets ten native coins for gas. */
  fund(address: string, amount: bigint): Promise<void>
  /** How many transactions of this sender are in blocks. */
  nonceOf(address: string): Promise<number>
  stop(): Promise<void>
}

const VAULT = parseAbi(['function accrue()'])
const TOKEN = parseAbi([
  'function mint(address to, uint256 value)',
  'function setMinter(address account, bool allowed)',
])
/** Five percent a year, per second, in rays. */
const RATE = (5n * 10n ** 25n) / 31_536_000n
const GAS = numberToHex(5_000_000)
const TEN_COINS = numberToHex(10n ** 19n)
/** Returns sixteen words of zero to every call: a number, or a struct of Comet's. */
const ZERO_TO_ALL = '0x6102006000f3'

/** Starts one. Aave and Compound have no market there: their contracts show no balance, and no rate. */
export async function startBaseChain(): Promise<BaseChain> {
  const dev = await startTestChain('base')
  const network = { ...LIVE_EVM_NETWORKS.find(({ blockchain }) => blockchain === 'base')!, confirmations: 1 }
  const token = network.tokens.find(({ symbol }) => symbol === 'USDC')!.address
  const strategies = liveSeeds(['base']).flatMap((venue) => venue.strategies)
  const vaults = strategies.filter(({ params }) => params.vault !== undefined)
  const treasury = privateKeyToAccount(dev.deployment.treasury.privateKey).address

  /** Sends as the treasury, which needs no signature here. */
  async function send(transaction: { to?: string; data: Hex }): Promise<{ contractAddress: Hex | null }> {
    const hash = await dev.rpc<string>('eth_sendTransaction', { from: treasury, gas: GAS, ...transaction })
    await dev.included(hash)
    const receipt = await dev.rpc<{ status: Hex; contractAddress: Hex | null }>('eth_getTransactionReceipt', hash)
    if (receipt.status !== '0x1') throw new Error(`a transaction of the treasury failed: ${hash}`)
    return receipt
  }
  const copyCode = async (from: string, to: string) =>
    dev.rpc('anvil_setCode', to, await dev.rpc('eth_getCode', from, 'latest'))
  const setMinter = (account: string) =>
    send({
      to: token,
      data: encodeFunctionData({ abi: TOKEN, functionName: 'setMinter', args: [account as Hex, true] }),
    })

  let unlistedVault: string
  try {
    await dev.rpc('anvil_impersonateAccount', treasury)
    await dev.rpc('anvil_setChainId', network.chainId)
    await copyCode(dev.deployment.tokens.find(({ symbol }) => symbol === 'USDC')!.address, token)
    await setMinter(treasury)
    const { abi, bytecode } = artifact('YieldVault')
    const args = [token, 'Yield Vault', 'yv', RATE, maxUint256]
    const { contractAddress } = await send({ data: encodeDeployData({ abi, bytecode, args }) })
    unlistedVault = getAddress(contractAddress!)
    await setMinter(unlistedVault)
    for (const { params } of strategies) {
      if (params.vault === undefined) await dev.rpc('anvil_setCode', params.aToken ?? params.comet!, ZERO_TO_ALL)
      else {
        await copyCode(unlistedVault, params.vault)
        await setMinter(params.vault)
        // The copied code has no state: without this it would owe interest since 1970.
        await send({ to: params.vault, data: encodeFunctionData({ abi: VAULT, functionName: 'accrue' }) })
      }
    }
  } catch (error) {
    await dev.stop()
    throw error
  }
  return {
    url: dev.url,
    vault: vaults[0]!.name,
    unlistedVault,
    chain: createEvmChain({
      network: { ...network, finality: 'depth' },
      rpcUrls: [dev.url],
      log: silentLog,
      clock: systemClock,
    }),
    async fund(address, amount) {
      await dev.rpc('anvil_setBalance', address, TEN_COINS)
      await send({
        to: token,
        data: encodeFunctionData({ abi: TOKEN, functionName: 'mint', args: [address as Hex, amount] }),
      })
    },
    nonceOf: async (address) => Number(await dev.rpc<Hex>('eth_getTransactionCount', address, 'latest')),
    stop: () => dev.stop(),
  }
}

function artifact(name: string): { readonly abi: Abi; readonly bytecode: Hex } {
  const path = new URL(`../../../../packages/devnet/artifacts/weir/${name}.json`, import.meta.url)
  return JSON.parse(readFileSync(path, 'utf8'))
}
