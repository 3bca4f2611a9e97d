import { encodeFunctionData, parseAbi } from 'viem'
import { assert } from '../../kernel/index.ts'
import type { Blockchain } from '../port/networks.ts'
import type { EvmSenderState, SenderState } from '../port/sender-state.ts'
import type { EvmContext } from './context.ts'
import { quantity, type WireHeader } from './wire.ts'

/**
 * The minimum tip, in wei, for prompt inclusion: polygon's validators refuse less than 25 gwei; base and ethereum take
 * almost nothing, but a zero tip waits.
 */
const MIN_PRIORITY_FEE: Readonly<Record<Blockchain, bigint>> = {
  ethereum: 100_000_000n,
  polygon: 30_000_000_000n,
  base: 1_000_000n,
  solana: 0n,
}

/** The contract where an OP-stack chain reports the cost of data on ethereum; other chains have nothing there. */
const GAS_PRICE_ORACLE = '0x420000000000000000000000000000000000000F'
/** Size of the largest unsigned transaction planned here; a supply takes about 250 bytes. */
const PLANNED_BYTES = 600n
const DATA_FEE_CALL = encodeFunctionData({
  abi: parseAbi(['function getL1FeeUpperBound(uint256 unsignedTxSize) view returns (uint256)']),
  args: [PLANNED_BYTES],
})

/**
 * The sender state that a plan needs, in one HTTP call. The fee cap is twice the base fee plus the tip: the base fee
 * can rise by an eighth per block, so the bytes stay includable for at least six full blocks.
 */
export async function senderState({ network, rpc }: EvmContext, address: string): Promise<EvmSenderState> {
  const isRollup = network.blockchain === 'base'
  const [pending, latest, native, head, suggestion, data] = await Promise.all([
    rpc.request<string>('eth_getTransactionCount', [address, 'pending']),
    rpc.request<string>('eth_getTransactionCount', [address, 'latest']),
    rpc.request<string>('eth_getBalance', [address, 'latest']),
    rpc.request<WireHeader>('eth_getBlockByNumber', ['latest', false]),
    rpc.tryRequest('eth_maxPriorityFeePerGas', []),
    isRollup ? rpc.tryRequest('eth_call', [{ to: GAS_PRICE_ORACLE, data: DATA_FEE_CALL }, 'latest']) : undefined,
  ])
  const minTip = MIN_PRIORITY_FEE[network.blockchain]
  const suggested = suggestion.ok ? BigInt(suggestion.result as string) : 0n
  const tip = suggested > minTip ? suggested : minTip
  const baseFeePerGas = BigInt(head.baseFeePerGas ?? quantity(0))
  return {
    family: 'evm',
    nonces: { pending: Number(pending), latest: Number(latest) },
    native: BigInt(native),
    baseFeePerGas,
    maxFeePerGas: baseFeePerGas * 2n + tip,
    maxPriorityFeePerGas: tip,
    // The price of data moves as well: twice today's, as with the base fee.
    ...(data?.ok && data.result !== '0x' && { dataFee: BigInt(data.result as string) * 2n }),
  }
}

export function asEvmSenderState(senderState: SenderState): EvmSenderState {
  assert(senderState.family === 'evm', 'the state of an EVM sender')
  return senderState
}
