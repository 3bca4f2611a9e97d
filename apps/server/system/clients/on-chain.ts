import { createPublicClient, createWalletClient, defineChain, type Hex, http, parseAbi } from 'viem'
import { expect } from 'vitest'
import type { System } from '../service/start-system.ts'
import type { WalletClient } from './wallet-client.ts'

const ERC20 = parseAbi([
  'function approve(address spender, uint256 amount)',
  'function balanceOf(address owner) view returns (uint256)',
  'function allowance(address owner, address spender) view returns (uint256)',
])
const VAULT = parseAbi(['function deposit(uint256 assets, address receiver) returns (uint256)'])

/** An ordinary client library on the sandbox's RPC endpoint, acting for the holder without the service's help. */
export async function onChain(system: System, holder: WalletClient) {
  const network = (await system.networks()).find(({ blockchain }) => blockchain === holder.blockchain)!
  const chain = defineChain({
    id: network.chainId,
    name: network.blockchain,
    nativeCurrency: { name: 'Coin', symbol: 'COIN', decimals: 18 },
    rpcUrls: { default: { http: [network.rpcUrl] } },
  })
  const transport = http(network.rpcUrl)
  const reader = createPublicClient({ chain, transport, pollingInterval: 100 })
  const writer = createWalletClient({ account: holder.account, chain, transport })

  const included = async (hash: Hex) => {
    const receipt = await reader.waitForTransactionReceipt({ hash })
    expect(receipt.status).toBe('success')
    return receipt
  }
  const token = (address: string) => ({ address: address as Hex, abi: ERC20 })
  const own = holder.account.address
  return {
    reader,
    writer,
    included,
    /** Broadcasts signed bytes and waits until they are in a block. */
    broadcast: async (serializedTransaction: Hex) =>
      included(await reader.sendRawTransaction({ serializedTransaction })),
    approve: async (address: string, spender: Hex, amount: bigint) =>
      included(await writer.writeContract({ ...token(address), functionName: 'approve', args: [spender, amount] })),
    deposit: async (address: Hex, amount: bigint) =>
      included(await writer.writeContract({ address, abi: VAULT, functionName: 'deposit', args: [amount, own] })),
    balanceOf: (address: string) => reader.readContract({ ...token(address), functionName: 'balanceOf', args: [own] }),
    allowance: (address: string, spender: Hex) =>
      reader.readContract({ ...token(address), functionName: 'allowance', args: [own, spender] }),
    /** Sends away almost all native coins: keeps the cost of the transfer and a little more. */
    async drainGas() {
      const price = 100_000_000_000n
      const fee = 21_000n * price
      const value = (await reader.getBalance({ address: own })) - fee
      const fees = { gas: 21_000n, maxFeePerGas: price, maxPriorityFeePerGas: price }
      return included(await writer.sendTransaction({ to: UNKNOWN_ADDRESS, value, ...fees }))
    },
  }
}

/** An address whose key nobody has. */
export const UNKNOWN_ADDRESS: Hex = '0x000000000000000000000000000000000000dEaD'
