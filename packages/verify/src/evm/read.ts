import { type Hex, hexToBigInt, parseTransaction, serializeTransaction } from 'viem'
import { Refusal, refuseUnless } from '../refusal.ts'

/** An unsigned EIP-1559 transaction with all its fields. */
export interface EvmTransaction {
  readonly chainId: number
  readonly nonce: number
  readonly gas: bigint
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
  readonly to: string
  readonly data: Hex
}

/**
 * Decodes unsigned EIP-1559 bytes, then encodes and compares them byte by byte, so that nothing unseen can hide in them.
 * Refuses other types, signatures, access lists, native coins and contract creations.
 */
export function readEvm(unsigned: string): EvmTransaction {
  refuseUnless(
    /^0x02[0-9a-f]{2,20000}$/.test(unsigned),
    'MALFORMED',
    'the bytes are not an EIP-1559 transaction in lower-case hex',
  )
  const parsed = parse(unsigned as Hex)
  const { chainId, nonce = 0, gas = 0n, maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = parsed
  const { to, value = 0n, data = '0x', accessList = [] } = parsed
  refuseUnless(accessList.length === 0, 'SOMETHING_ELSE', 'the transaction has an access list')
  refuseUnless(value === 0n, 'NATIVE_VALUE', `the transaction sends ${value} wei`)
  refuseUnless(to != null, 'UNKNOWN_METHOD', 'the transaction creates a contract')
  const fields = { chainId, nonce, gas, maxFeePerGas, maxPriorityFeePerGas, to, data }
  const again = attempt(() => serializeTransaction({ type: 'eip1559', ...fields, value }))
  refuseUnless(again === unsigned, 'MALFORMED', 'the bytes are not the canonical form of the transaction in them')
  return fields
}

function parse(unsigned: Hex) {
  const parsed = attempt(() => parseTransaction(unsigned))
  refuseUnless(parsed?.type === 'eip1559', 'MALFORMED', 'the bytes are not an EIP-1559 transaction')
  const signature = 'r' in parsed && parsed.r !== undefined && hexToBigInt(parsed.r) !== 0n
  refuseUnless(!signature, 'MALFORMED', 'the transaction is signed already')
  return parsed
}

/** The library throws for numbers that no transaction can have. */
function attempt<Result>(act: () => Result): Result {
  try {
    return act()
  } catch {
    throw new Refusal('MALFORMED', 'the bytes are not an EIP-1559 transaction')
  }
}
