import { type Address, type Hex, serializeTransaction } from 'viem'
import type { SenderFacts, Unsigned, UnsignedPlan } from '../port.ts'

/** Unsigned EIP-1559 bytes in hex; their keccak-256 is what the wallet signs. */
export function encode(chainId: number, { call, nonce, gas, facts }: UnsignedPlan): Unsigned {
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
  return { bytes, nonce }
}

/** Most that transactions with these gas limits can cost, in wei, a rollup's data fee included. */
export function networkFee(gas: readonly bigint[], facts: SenderFacts): bigint {
  const dataFee = facts.dataFee ?? 0n
  return gas.reduce((sum, limit) => sum + limit * facts.maxFeePerGas + dataFee, 0n)
}
