import { readFileSync } from 'node:fs'
import {
  type Abi,
  type Address,
  createPublicClient,
  createWalletClient,
  getAddress,
  type Hex,
  http,
  maxUint256,
  pad,
  toHex,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Call } from '../../src/chains/index.ts'
import { contractCall } from '../../src/venues/evm/contract-call.ts'
import { erc20Abi } from '../../src/venues/evm/erc20.ts'

const UNIT = 1_000_000n
const IDS = [1n, 2n].map((id) => pad(toHex(id), { size: 32 }))

interface Artifact {
  readonly abi: Abi
  readonly bytecode: Hex
}
const artifact = (name: string): Artifact =>
  JSON.parse(readFileSync(new URL(`../../../../packages/devnet/artifacts/weir/${name}.json`, import.meta.url), 'utf8'))
const MARKETS = artifact('QueueMarkets')

/** For tests: a vault with two markets of its own, as MetaMorpho has them. Amounts in whole tokens of 6 decimals. */
export interface QueueVault {
  readonly vault: Address
  /** The calls that move the first or second market. */
  move(functionName: 'supply' | 'borrow' | 'repay' | 'writeOff', market: 0 | 1, amount: bigint): Call[]
}

/** Deploys it with this key. It lends at most 600 in the first market, and borrowers pay 5% a year. */
export async function deployQueueVault(
  url: string,
  key: Hex,
  token: string,
  name: 'QueueVault' | 'LossKeepingVault',
): Promise<QueueVault> {
  async function deploy(contract: Artifact, args: readonly unknown[]): Promise<Address> {
    const account = privateKeyToAccount(key)
    const transport = http(url)
    const hash = await createWalletClient({ account, transport }).deployContract({ ...contract, args, chain: null })
    const { contractAddress } = await createPublicClient({ transport }).waitForTransactionReceipt({ hash })
    return getAddress(contractAddress!)
  }
  const markets = await deploy(MARKETS, [token, (5n * 10n ** 25n) / 31_536_000n])
  const vault = await deploy(artifact(name), [token, markets, IDS, 600n * UNIT])
  return {
    vault,
    move(functionName, market, amount) {
      const approval = { abi: erc20Abi, functionName: 'approve', args: [markets, maxUint256] } as const
      const call = { abi: MARKETS.abi, functionName, args: [IDS[market], amount * UNIT] }
      return [contractCall(token, approval), contractCall(markets, call)]
    },
  }
}
