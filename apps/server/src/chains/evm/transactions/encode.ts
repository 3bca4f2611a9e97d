import { type Address, type Hex, serializeTransaction } from 'viem'
import { assert } from '../../../kernel/index.ts'
import { evmCall } from '../../port/calls.ts'
import type { EvmUnsignedTransaction } from '../../port/families.ts'
import { asEvmSenderState } from '../../port/sender-state.ts'
import type { TransactionRequest } from '../../port/transaction-bytes.ts'

/** Unsigned EIP-1559 bytes in hex; their keccak-256 is what the wallet signs. */
export function encode(chainId: number, { nonce, gas, ...plan }: TransactionRequest): EvmUnsignedTransaction {
  assert(nonce !== null, 'an EVM transaction has a nonce')
  const call = evmCall(plan.call)
  const senderState = asEvmSenderState(plan.senderState)
  const bytes = serializeTransaction({
    type: 'eip1559',
    chainId,
    nonce,
    gas,
    maxFeePerGas: senderState.maxFeePerGas,
    maxPriorityFeePerGas: senderState.maxPriorityFeePerGas,
    to: call.to as Address,
    value: call.value,
    data: call.data as Hex,
  })
  return { bytes, nonce, call, lifetime: undefined }
}
