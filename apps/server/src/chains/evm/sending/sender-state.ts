import { encodeFunctionData, parseAbi } from 'viem'
import type { EvmSenderState } from '../../port/sender-state.ts'
import { integerFrom, safeIntegerFrom } from '../../rpc/integer-from.ts'
import { requestRejected } from '../../rpc/rpc.ts'
import type { EvmContext } from '../context.ts'
import { feeCaps } from '../fees/fees.ts'
import type { WireHeader } from '../wire.ts'

/** The contract where an OP-stack chain reports the cost of data on ethereum; other chains have nothing there. */
const GAS_PRICE_ORACLE = '0x420000000000000000000000000000000000000F'
/** Size of the largest unsigned transaction planned here; a supply takes about 250 bytes. */
const PLANNED_BYTES = 600n
const DATA_FEE_CALL = encodeFunctionData({
  abi: parseAbi(['function getL1FeeUpperBound(uint256 unsignedTxSize) view returns (uint256)']),
  args: [PLANNED_BYTES],
})

/** The sender state that a plan needs, in one HTTP call. */
export async function senderState({ network, rpc }: EvmContext, address: string): Promise<EvmSenderState> {
  const isRollup = network.blockchain === 'base'
  const [pending, latest, native, head, suggestion, data] = await Promise.all([
    rpc.request<string>('eth_getTransactionCount', [address, 'pending']),
    rpc.request<string>('eth_getTransactionCount', [address, 'latest']),
    rpc.request<string>('eth_getBalance', [address, 'latest']),
    rpc.request<WireHeader | null>('eth_getBlockByNumber', ['latest', false]),
    rpc.tryRequest('eth_maxPriorityFeePerGas', []),
    isRollup ? rpc.tryRequest('eth_call', [{ to: GAS_PRICE_ORACLE, data: DATA_FEE_CALL }, 'latest']) : undefined,
  ])
  if (head === null) throw requestRejected('eth_getBlockByNumber', 'block latest is missing')
  const suggestedTip = suggestion.ok ? integerFrom('eth_maxPriorityFeePerGas', suggestion.result) : 0n
  const baseFeePerGas = integerFrom('baseFeePerGas', head.baseFeePerGas ?? 0)
  return {
    family: 'evm',
    nonces: {
      pending: safeIntegerFrom('eth_getTransactionCount', pending),
      latest: safeIntegerFrom('eth_getTransactionCount', latest),
      // Requests of one call are answered in order, and a block may come in between.
      block: safeIntegerFrom('eth_getBlockByNumber', head.number) + 1,
    },
    native: integerFrom('eth_getBalance', native),
    baseFeePerGas,
    ...feeCaps(network.blockchain, baseFeePerGas, suggestedTip),
    // The price of data moves as well: twice today's, as with the base fee.
    ...(data?.ok && data.result !== '0x' && { dataFee: integerFrom('getL1FeeUpperBound', data.result) * 2n }),
  }
}
