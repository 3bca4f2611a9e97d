import { type Address, type Hex, serializeTransaction } from 'viem'
import { assert } from '../../kernel/index.ts'
import { evmCall } from '../calls.ts'
import type { EvmUnsigned } from '../families.ts'
import type { EvmSenderFacts, SenderFacts, UnsignedPlan } from '../port.ts'

/** Unsigned EIP-1559 bytes in hex; their keccak-256 is what the wallet signs. */
export function encode(chainId: number, { nonce, gas, ...plan }: UnsignedPlan): EvmUnsigned {
  assert(nonce !== null, 'a transaction of an EVM chain has a nonce')
  const call = evmCall(plan.call)
  const facts = evmFacts(plan.facts)
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
export function networkFee(gas: readonly bigint[], facts: SenderFacts): bigint {
  const { maxFeePerGas, dataFee = 0n } = evmFacts(facts)
  return gas.reduce((sum, limit) => sum + limit * maxFeePerGas + dataFee, 0n)
}

function evmFacts(facts: SenderFacts): EvmSenderFacts {
  assert(facts.family === 'evm', 'facts of an EVM sender')
  return facts
}
