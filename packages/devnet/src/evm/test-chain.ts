import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Abi,
  type Account,
  type Address,
  createPublicClient,
  createWalletClient,
  defineChain,
  type Hash,
  http,
  parseEther,
  type TransactionReceipt,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { readArtifact } from './artifacts.ts'
import type { EvmStrategy, EvmToken } from './deployment.ts'
import type { EvmChain } from './start-evm-chain.ts'

/** A temporary folder for one test. */
export function temporaryFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'weir-devnet-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

export type Contract = { readonly address: Address; readonly abi: Abi }

export function contract(path: string, address: Address): Contract {
  return { address, abi: readArtifact(path).abi }
}

export function user(chain: EvmChain) {
  const { treasury } = chain.deployment
  const definition = defineChain({
    id: chain.chainId,
    name: chain.blockchain,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [chain.url] } },
    contracts: { multicall3: { address: chain.deployment.multicall3 } },
  })
  const transport = http()
  const client = createPublicClient({ chain: definition, transport, pollingInterval: 15, cacheTime: 0 })
  const wallet = createWalletClient({ chain: definition, transport })
  const account = privateKeyToAccount(generatePrivateKey())
  const bank = privateKeyToAccount(treasury.privateKey)

  async function included(hash: Hash): Promise<TransactionReceipt> {
    const receipt = await client.waitForTransactionReceipt({ hash })
    if (receipt.status !== 'success') throw new Error(`Transaction ${hash} failed`)
    return receipt
  }
  /** Signs, sends and waits; throws when the node's estimate or the transaction fails. */
  async function write(target: Contract, functionName: string, args: readonly unknown[], from: Account = account) {
    const call = { ...target, functionName, args: [...args], account: from }
    // Interest may begin to accrue between the estimate and the block.
    const gas = (await client.estimateContractGas(call)) + 150_000n
    return included(await wallet.writeContract({ ...call, gas }))
  }
  async function read<Result>(target: Contract, functionName: string, args: readonly unknown[] = []) {
    return (await client.readContract({ ...target, functionName, args: [...args] })) as Result
  }
  async function fund(token: EvmToken, amount: bigint): Promise<void> {
    await included(await wallet.sendTransaction({ account: bank, to: account.address, value: parseEther('1') }))
    await write(tokenContract(token), 'mint', [account.address, amount], bank)
  }
  return { client, account, write, read, fund }
}

/** USDC and USDT differ only in what they return. */
export function tokenContract(token: EvmToken): Contract {
  return contract(token.symbol === 'USDT' ? 'weir/DevTether' : 'weir/DevToken', token.address)
}

export function tokenOf(chain: EvmChain, symbol: string): EvmToken {
  const token = chain.deployment.tokens.find((candidate) => candidate.symbol === symbol)
  if (token === undefined) throw new Error(`${chain.blockchain} has no ${symbol}`)
  return token
}

export function strategyOf<Protocol extends EvmStrategy['protocol']>(
  chain: EvmChain,
  protocol: Protocol,
  key: string,
): Extract<EvmStrategy, { protocol: Protocol }> {
  const strategy = chain.deployment.strategies.find((candidate) => candidate.key === key)
  if (strategy?.protocol !== protocol) throw new Error(`${chain.blockchain} has no ${key}`)
  return strategy as Extract<EvmStrategy, { protocol: Protocol }>
}
