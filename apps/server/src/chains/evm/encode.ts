import { type Address, type Hex, serializeTransaction } from 'viem'
import { assert } from '../../kernel/index.ts'
import { evmCall } from '../port/calls.ts'
import type { EvmSenderState, SenderState, TransactionRequest } from '../port/chain.ts'
import type { EvmUnsignedTransaction } from '../port/families.ts'

/** Unsigned EIP-1559 bytes in hex; their keccak-256 is what the wallet signs. */
export function encode(chainId: number, { nonce, gas, ...plan }: TransactionRequest): EvmUnsignedTransaction {
  assert(nonce !== null, 'a transaction of an EVM chain has a nonce')
  const call = evmCall(plan.call)
  const facts = asEvmSenderState(plan.senderState)
  const bytes = serializeTransaction({
    type: 'eip1559',
    chainId,
    nonce,
    gas,
    maxFeePerGas: facts.maxFeePerGas,
    maxPriorityFeePerGas: facts.maxPriorityFeePerGas,
    to: call.to as Address,
    value: call.value,
    data: call.data as Hex,
  })
  return { bytes, nonce, call, lifetime: undefined }
}

/** Most that transactions with these gas limits can cost, in wei, a rollup's data fee included. */
export function networkFee(gas: readonly bigint[], facts: SenderState): bigint {
  const { maxFeePerGas, dataFee = 0n } = asEvmSenderState(facts)
  return gas.reduce((sum, limit) => sum + limit * maxFeePerGas + dataFee, 0n)
}

function asEvmSenderState(facts: SenderState): EvmSenderState {
  assert(facts.family === 'evm', 'facts of an EVM sender')
  return facts
}
