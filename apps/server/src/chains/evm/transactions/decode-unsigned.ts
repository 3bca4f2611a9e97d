import { getAddress, type Hex, parseTransaction } from 'viem'
import { assert } from '../../../kernel/index.ts'
import type { UnsignedFields } from '../../port/capabilities.ts'

/** Decodes EIP-1559 bytes that this service built itself; other bytes are a programmer's error. */
export function decodeUnsigned(unsigned: string): UnsignedFields {
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
