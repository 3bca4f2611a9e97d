import { type Abi, type ContractEventName, type Log, type ParseEventLogsReturnType, parseEventLogs } from 'viem'
import type { IncludedTransaction } from '../../chains/index.ts'
import { assert } from '../../kernel/index.ts'
import { isSameAddress } from './address.ts'

/**
 * The events of `abi` that one contract emitted in a transaction, decoded, in order. Events of other contracts or other
 * shapes are omitted: any contract can emit any event about anyone.
 */
export function decodeEvents<const abi extends Abi>(
  abi: abi,
  emitter: string,
  transaction: IncludedTransaction,
): ParseEventLogsReturnType<abi, ContractEventName<abi>, true> {
  assert(transaction.family === 'evm', 'a transaction of an EVM chain')
  const logs = transaction.logs.filter((log) => isSameAddress(log.address, emitter))
  // The decoder reads topics and data only; the other fields of viem's Log describe the block.
  return parseEventLogs({ abi, logs: logs as unknown as Log[], strict: true }) as never
}
