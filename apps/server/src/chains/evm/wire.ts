import { getAddress } from 'viem'
import type { BlockRef } from '../port/blocks.ts'
import type {
  ChainLog,
  EvmIncludedTransaction,
  EvmTransactionContent,
  FailureCode,
  ObservedTransaction,
  OfferedFees,
} from '../port/included-transaction.ts'
import { decodeResult } from '../rpc/decode-result.ts'
import { integerFrom, safeIntegerFrom, timeFrom } from '../rpc/integer-from.ts'

/** The fields of JSON-RPC responses that are read; quantities are hex text. */
export interface WireHeader {
  readonly number: string | null
  readonly hash: string | null
  readonly parentHash: string
  readonly timestamp: string
  readonly baseFeePerGas?: string
}

export interface EvmWireTransaction {
  readonly hash: string
  readonly from: string
  readonly to: string | null
  readonly nonce: string
  readonly input: string
  readonly value: string
  readonly gas: string
  readonly blockNumber: string | null
  /** Absent in transactions with one price for gas, which have `gasPrice`. */
  readonly maxFeePerGas?: string
  readonly maxPriorityFeePerGas?: string
  readonly gasPrice?: string
  readonly type?: string
  readonly r?: string
  readonly s?: string
}

export interface EvmWireBlock extends WireHeader {
  readonly transactions: readonly EvmWireTransaction[]
}

export interface WireReceipt {
  readonly transactionHash: string
  readonly blockHash: string
  readonly status?: string
  readonly gasUsed: string
  readonly logs: readonly { readonly address: string; readonly topics: readonly string[]; readonly data: string }[]
}

/** Block numbers, gas amounts and nonces are quantities without leading zeros. */
export function quantity(value: number | bigint): string {
  return `0x${value.toString(16)}`
}

/** The block parameter of a read: a number, or the latest. */
export function blockTag(at: number | undefined): string {
  return at === undefined ? 'latest' : quantity(at)
}

export function toBlockRef(header: WireHeader): BlockRef {
  return decodeResult('eth_getBlockByNumber', () => ({
    number: safeIntegerFrom('number', header.number ?? 0),
    hash: (header.hash ?? '').toLowerCase(),
    parentHash: header.parentHash.toLowerCase(),
    time: timeFrom('timestamp', header.timestamp),
  }))
}

export function toObservedTransaction(wire: EvmWireTransaction): ObservedTransaction & EvmTransactionContent {
  return {
    family: 'evm',
    hash: wire.hash.toLowerCase(),
    sender: getAddress(wire.from),
    to: wire.to === null ? undefined : getAddress(wire.to),
    nonce: safeIntegerFrom('nonce', wire.nonce),
    data: wire.input.toLowerCase(),
    value: integerFrom('value', wire.value),
    blockNumber: wire.blockNumber === null ? undefined : safeIntegerFrom('blockNumber', wire.blockNumber),
  }
}

/** What it offers for gas: both fees are the price where it has only one. */
export function feesOf({ maxFeePerGas, maxPriorityFeePerGas, gasPrice }: EvmWireTransaction): OfferedFees {
  return {
    maxFeePerGas: integerFrom('maxFeePerGas', maxFeePerGas ?? gasPrice ?? '0x0'),
    maxPriorityFeePerGas: integerFrom('maxPriorityFeePerGas', maxPriorityFeePerGas ?? gasPrice ?? '0x0'),
  }
}

export function toIncluded(
  wire: EvmWireTransaction,
  receipt: WireReceipt,
  blockNumber: number,
): EvmIncludedTransaction {
  const succeeded = receipt.status === '0x1'
  const gasUsed = integerFrom('gasUsed', receipt.gasUsed)
  const gasLimit = integerFrom('gas', wire.gas)
  return {
    ...toObservedTransaction(wire),
    blockNumber,
    succeeded,
    failureCode: succeeded ? undefined : failureCodeOf(gasUsed, gasLimit),
    gasUsed,
    gasLimit,
    logs: receipt.logs.map(toLog),
  }
}

/** All that a receipt shows of a failure is whether all gas was used. */
function failureCodeOf(gasUsed: bigint, gasLimit: bigint): FailureCode {
  return gasUsed >= gasLimit ? 'OUT_OF_GAS' : 'REVERTED'
}

function toLog(wire: WireReceipt['logs'][number]): ChainLog {
  return {
    address: getAddress(wire.address),
    topics: wire.topics.map((topic) => topic.toLowerCase()),
    data: wire.data.toLowerCase(),
  }
}
