import { getAddress, type Hex, parseTransaction } from 'viem'
import { assert } from '../../kernel/index.ts'

/** The fields of unsigned EIP-1559 bytes, for wallets that take fields instead of bytes. */
export interface EvmUnsignedFields {
  readonly to: string
  readonly data: string
  /** Wei, like the fees. */
  readonly value: bigint
  readonly gasLimit: bigint
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
  readonly nonce: number
  readonly chainId: number
}

/** Decodes bytes that this service built itself; other bytes are a programmer's error. */
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
