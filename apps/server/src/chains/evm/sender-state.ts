import { encodeFunctionData, parseAbi } from 'viem'
import type { EvmSenderState } from '../port/chain.ts'
import type { Blockchain } from '../port/networks.ts'
import type { EvmContext } from './context.ts'
import { quantity, type WireHeader } from './wire.ts'

/**
 * The least tip, in wei, with which a chain's producers take a transaction up promptly: polygon's validators refuse
 * less than 25 gwei; base and ethereum take almost nothing, but a tip of zero waits.
 */
const MIN_PRIORITY_FEE: Readonly<Record<Blockchain, bigint>> = {
  ethereum: 100_000_000n,
  polygon: 30_000_000_000n,
  base: 1_000_000n,
  solana: 0n,
}

/** Where an OP-stack chain tells what its data costs on ethereum; other chains have nothing there. */
const GAS_PRICE_ORACLE = '0x420000000000000000000000000000000000000F'
/** Bytes of the largest transaction planned here, unsigned; a supply takes some 250. */
const PLANNED_BYTES = 600n
const DATA_FEE_CALL = encodeFunctionData({
  abi: parseAbi(['function getL1FeeUpperBound(uint256 unsignedTxSize) view returns (uint256)']),
  args: [PLANNED_BYTES],
})

/**
 * What a plan needs to know of a sender, in one HTTP call. The fee cap is twice the base fee plus the tip: the base fee
 * can rise by an eighth a block, so the bytes stay includable for six full blocks at least.
 */
export async function senderState({ network, rpc }: EvmContext, address: string): Promise<EvmSenderState> {
  const isRollup = network.blockchain === 'base'
  const [pending, latest, native, head, offered, data] = await Promise.all([
    rpc.request<string>('eth_getTransactionCount', [address, 'pending']),
    rpc.request<string>('eth_getTransactionCount', [address, 'latest']),
    rpc.request<string>('eth_getBalance', [address, 'latest']),
    rpc.request<WireHeader>('eth_getBlockByNumber', ['latest', false]),
    rpc.tryRequest('eth_maxPriorityFeePerGas', []),
    isRollup ? rpc.tryRequest('eth_call', [{ to: GAS_PRICE_ORACLE, data: DATA_FEE_CALL }, 'latest']) : undefined,
  ])
  const least = MIN_PRIORITY_FEE[network.blockchain]
  const suggested = offered.ok ? BigInt(offered.result as string) : 0n
  const tip = suggested > least ? suggested : least
  const baseFeePerGas = BigInt(head.baseFeePerGas ?? quantity(0))
  return {
    family: 'evm',
    pendingNonce: Number(pending),
    latestNonce: Number(latest),
    native: BigInt(native),
    baseFeePerGas,
    maxFeePerGas: baseFeePerGas * 2n + tip,
    maxPriorityFeePerGas: tip,
    // Its own price moves as well: twice today's, as with the base fee.
    ...(data?.ok && data.result !== '0x' && { dataFee: BigInt(data.result as string) * 2n }),
  }
}
