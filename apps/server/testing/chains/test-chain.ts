import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EvmChain as DevChain, type EvmBlockchain, startEvmChain } from '@weir/devnet'
import { type Address, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'

export const erc20 = parseAbi([
  'function mint(address to, uint256 value)',
  'function transfer(address to, uint256 value)',
  'function balanceOf(address owner) view returns (uint256)',
])

/** One embedded chain for a test file. No heartbeat: blocks are mined only on demand. */
export interface TestChain extends DevChain {
  rpc<T = unknown>(method: string, ...params: unknown[]): Promise<T>
  /** Sets whether a transaction is mined immediately or waits for `mine`. */
  mineAtOnce(atOnce: boolean): Promise<void>
  /** Mines nothing while `work` runs, unless `mine` is called. */
  withoutMining<T>(work: () => Promise<T>): Promise<T>
  /** Waits until the transaction is in a block: nodes respond to a send before they mine. */
  included(hash: string): Promise<string>
  sendRaw(raw: string): Promise<string>
  /** Sends a contract call from the account, without the service. */
  call(from: PrivateKeyAccount, to: string, data: Hex): Promise<string>
  fund(address: string, token: string, amount: bigint): Promise<string>
}

export async function startTestChain(blockchain: EvmBlockchain = 'polygon'): Promise<TestChain> {
  const dataDir = mkdtempSync(join(tmpdir(), 'weir-main-engine-'))
  const dev = await startEvmChain({ blockchain, dataDir, heartbeatSeconds: 0 })
  const treasury = privateKeyToAccount(dev.deployment.treasury.privateKey)

  async function rpc<T>(method: string, ...params: unknown[]): Promise<T> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const response = await fetch(dev.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const { result, error } = (await response.json()) as { result: T; error?: { message: string } }
    if (error) throw new Error(`${method}: ${error.message}`)
    return result
  }

  async function included(hash: string): Promise<string> {
    for (let looks = 0; looks < 2_000; looks += 1) {
      if ((await rpc('eth_getTransactionReceipt', hash)) !== null) return hash
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    throw new Error(`${hash} was not included`)
  }

  async function mineAtOnce(atOnce: boolean): Promise<void> {
    await rpc('evm_setAutomine', atOnce)
  }

  const sendRaw = (raw: string) => rpc<string>('eth_sendRawTransaction', raw)

  async function call(from: PrivateKeyAccount, to: string, data: Hex): Promise<string> {
    const nonce = Number(await rpc<string>('eth_getTransactionCount', from.address, 'pending'))
    return sendRaw(
      await from.signTransaction({
        type: 'eip1559',
        chainId: dev.chainId,
        nonce,
        gas: 1_000_000n,
        maxFeePerGas: 10n ** 12n,
        maxPriorityFeePerGas: 50n * 10n ** 9n,
        to: to as Address,
        data,
      }),
    )
  }

  return {
    ...dev,
    rpc,
    included,
    sendRaw,
    call,
    mineAtOnce,
    async withoutMining(work) {
      await mineAtOnce(false)
      try {
        return await work()
      } finally {
        await mineAtOnce(true)
      }
    },
    async fund(address, token, amount) {
      const data = encodeFunctionData({ abi: erc20, functionName: 'mint', args: [address as Address, amount] })
      return included(await call(treasury, token, data))
    },
    async stop() {
      await dev.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
