import { type Abi, type ContractEventName, type Log, type ParseEventLogsReturnType, parseEventLogs } from 'viem'
import type { IncludedTransaction } from '../../chains/index.ts'
import { assert } from '../../kernel/index.ts'
import { isSameAddress } from './address.ts'

/**
 * The events of `abi` that one contract emitted in a transaction, decoded, in their order. What another contract
 * emitted, or in another shape, is left out: a stranger's contract can write any event about anybody.
 */
export function decodeEvents<const abi extends Abi>(
  abi: abi,
  emitter: string,
  transaction: IncludedTransaction,
): ParseEventLogsReturnType<abi, ContractEventName<abi>, true> {
  assert(transaction.family === 'evm', 'a transaction of an EVM chain')
  const logs = transaction.logs.filter((log) => isSameAddress(log.address, emitter))
  // The decoder reads topics and data only; the other fields of viem's Log are the block's, not the event's.
  return parseEventLogs({ abi, logs: logs as unknown as Log[], strict: true }) as never
}
