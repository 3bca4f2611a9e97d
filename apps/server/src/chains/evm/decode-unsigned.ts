import { getAddress, type Hex, parseTransaction } from 'viem'
import { assert } from '../../kernel/index.ts'

/** What unsigned EIP-1559 bytes say, field by field, for wallets that take fields instead of bytes. */
export interface EvmUnsignedFields {
  readonly to: string
  readonly data: string
  /** Wei, as the fees. */
  readonly value: bigint
  readonly gasLimit: bigint
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
  readonly nonce: number
  readonly chainId: number
}

/** Takes bytes apart that this service built itself; others are a programmer's error. */
export function decodeUnsigned(unsigned: string): EvmUnsignedFields {
  const parsed = parseTransaction(unsigned as Hex)
  assert(parsed.type === 'eip1559' && parsed.to && parsed.chainId, 'unsigned bytes are an EIP-1559 transaction')
  return {
    to: getAddress(parsed.to),
    data: parsed.data ?? '0x',
    value: parsed.value ?? 0n,
    gasLimit: parsed.gas ?? 0n,
    maxFeePerGas: parsed.maxFeePerGas ?? 0n,
    maxPriorityFeePerGas: parsed.maxPriorityFeePerGas ?? 0n,
    nonce: parsed.nonce ?? 0,
    chainId: parsed.chainId,
  }
}
