import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { freePort } from '@weir/devnet/free-port'
import { encodeDeployData, getContractAddress, type Hex, keccak256, parseAbi } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { silentLog, systemClock } from '../../kernel/index.ts'
import type { EvmCall } from '../port/calls.ts'
import type { EvmChain } from '../port/families.ts'
import type { EvmIncludedTransaction } from '../port/included-transaction.ts'
import type { Network } from '../port/networks.ts'
import { createEvmChain, type EvmChainParts } from './create-evm-chain.ts'
import { MULTICALL3 } from './reads/multicall.ts'

/** A bare anvil for this room's tests: Multicall3 in place, a token deployed, ten funded accounts. */
export interface TestNode {
  readonly url: string
  readonly chainId: number
  readonly network: Network
  /** A token that account 0 may mint; six decimals. */
  readonly token: Hex
  rpc<T = unknown>(method: string, ...params: unknown[]): Promise<T>
  chain(options?: Partial<EvmChainParts>): EvmChain
  stop(): Promise<void>
}

const PHRASE = 'test test test test test test test test test test test junk'
const accounts = new Map<number, ReturnType<typeof mnemonicToAccount>>()

/** An account of the mnemonic that anvil funds at its start. */
export function account(index: number) {
  // Deriving from the mnemonic takes longer than anything else in a test: do it once per account.
  const derived = accounts.get(index) ?? mnemonicToAccount(PHRASE, { addressIndex: index })
  accounts.set(index, derived)
  return derived
}

export const DEAD = '0x000000000000000000000000000000000000dEaD'

interface Artifact {
  readonly bytecode: Hex
  readonly deployedBytecode: Hex
}

export function artifact(name: string): Artifact {
  const path = new URL(`../../../../../packages/devnet/artifacts/weir/${name}.json`, import.meta.url)
  return JSON.parse(readFileSync(path, 'utf8')) as Artifact
}

/**
 * A shell that ends anvil when its input closes: at stop(), and also when a test run is killed. It exits with anvil. A
 * program in its background has no input unless it is given one.
 */
const WATCH = `
exec 3<&0
"$@" </dev/null 3<&- &
pid=$!
(read -r _ <&3; kill -9 "$pid") &
watcher=$!
exec 3<&-
wait "$pid"
kill "$watcher"
`

export async function startTestNode(options: readonly string[] = []): Promise<TestNode> {
  const chainId = 31_338
  const { url, rpc, stop } = await launch(['--chain-id', String(chainId), '--quiet', ...options])
  await rpc('anvil_setCode', MULTICALL3, artifact('Multicall3').deployedBytecode)

  const owner = account(0).address
  const token = getContractAddress({ from: owner, nonce: 0n })
  const data = encodeDeployData({
    abi: parseAbi(['constructor(string name, string symbol, uint8 decimals)']),
    bytecode: artifact('DevToken').bytecode,
    args: ['USD Coin', 'USDC', 6],
  })
  await rpc('eth_sendTransaction', { from: owner, data, gas: '0x1e8480' })
  await until(async () => (await rpc<string>('eth_getCode', token, 'latest')) !== '0x')

  const network: Network = {
    blockchain: 'polygon',
    family: 'evm',
    chainId,
    nativeSymbol: 'POL',
    confirmations: 1,
    tokens: [],
  }
  return {
    url,
    chainId,
    network,
    token,
    rpc,
    chain: (parts = {}) => createEvmChain({ network, rpcUrls: [url], log: silentLog, clock: systemClock, ...parts }),
    stop,
  }
}

const PORT_ATTEMPTS = 5

/** Starts anvil. If it exits at once, because another program took its port first, it gets another port. */
async function launch(options: readonly string[]): Promise<Pick<TestNode, 'url' | 'rpc' | 'stop'>> {
  const binary = createRequire(import.meta.url).resolve('@foundry-rs/anvil-linux-amd64/bin/anvil')
  for (let attempt = 1; attempt <= PORT_ATTEMPTS; attempt += 1) {
    const port = await freePort()
    const args = ['--host', '127.0.0.1', '--port', String(port), ...options]
    const shell = spawn('/bin/sh', ['-c', WATCH, 'sh', binary, ...args], { stdio: ['pipe', 'ignore', 'ignore'] })
    let hasExited = false
    const exited = once(shell, 'exit').then(() => {
      hasExited = true
    })
    const url = `http://127.0.0.1:${port}`
    const rpc = rpcAt(url)
    const answers = () =>
      rpc('eth_chainId').then(
        () => true,
        () => false,
      )
    await until(async () => hasExited || (await answers()))
    // What answers could be the program that has the port.
    if (hasExited) continue
    const stop = async () => {
      shell.stdin.end()
      await exited
    }
    return { url, rpc, stop }
  }
  throw new Error(`anvil exited at once on each of ${PORT_ATTEMPTS} ports`)
}

const rpcAt =
  (url: string) =>
  async <T>(method: string, ...params: unknown[]): Promise<T> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const { result, error } = (await response.json()) as { result: T; error?: { message: string } }
    if (error) throw new Error(`${method}: ${error.message}`)
    return result
  }

/** Waits on a condition, with a deadline far beyond any realistic duration. */
async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 60_000
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error('the condition was not met in time')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** A transaction once it is in a block: nodes acknowledge a send before they mine. */
export async function landed(chain: EvmChain, hash: string): Promise<EvmIncludedTransaction> {
  let found: EvmIncludedTransaction | undefined
  await until(async () => {
    const [observed] = await chain.findTransactions([hash])
    if (observed?.blockNumber === undefined) return false
    const block = await chain.block(observed.blockNumber)
    found = block?.transactions.find((transaction) => transaction.hash === hash)
    return found !== undefined
  })
  if (!found) throw new Error('unreachable')
  return found
}

/** Signed raw bytes of a call, with their hash. */
export async function signed(
  chain: EvmChain,
  index: number,
  call: EvmCall,
  overrides: { nonce?: number; gas?: bigint; maxFeePerGas?: bigint; maxPriorityFeePerGas?: bigint } = {},
): Promise<{ raw: Hex; hash: Hex; nonce: number }> {
  const signer = account(index)
  const senderState = await chain.senderState(signer.address)
  const nonce = overrides.nonce ?? senderState.nonces.pending
  const raw = await signer.signTransaction({
    type: 'eip1559',
    chainId: chain.network.chainId ?? 0,
    nonce,
    gas: overrides.gas ?? 500_000n,
    maxFeePerGas: overrides.maxFeePerGas ?? senderState.maxFeePerGas,
    maxPriorityFeePerGas: overrides.maxPriorityFeePerGas ?? senderState.maxPriorityFeePerGas,
    to: call.to as Hex,
    data: call.data as Hex,
    value: call.value,
  })
  return { raw, hash: keccak256(raw), nonce }
}

/** A plain transfer of native coins. */
export function transfer(value: bigint, to: string = DEAD): EvmCall {
  return { family: 'evm', to, data: '0x', value }
}
