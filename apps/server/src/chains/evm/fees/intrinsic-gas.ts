import { type Hex, hexToBytes, parseTransaction } from 'viem'

const TRANSACTION = 21_000n
/** The minimum per byte of data (EIP-7623); the 4 and 16 of EIP-2028 count only where the call itself uses more. */
const ZERO_BYTE = 10n
const OTHER_BYTE = 40n

/**
 * Whether signed bytes offer less gas than any transaction with that data needs. No block takes them, and every public
 * node says so at once; anvil accepts and drops them. Bytes that are not a transaction are left to the node.
 */
export function isBelowIntrinsicGas(raw: string): boolean {
  const transaction = tryParse(raw)
  if (!transaction) return false
  const { gas = 0n, data = '0x' } = transaction
  const bytes = hexToBytes(data)
  const zeros = BigInt(bytes.filter((byte) => byte === 0).length)
  return gas < TRANSACTION + zeros * ZERO_BYTE + (BigInt(bytes.length) - zeros) * OTHER_BYTE
}

function tryParse(raw: string): { gas?: bigint | undefined; data?: Hex | undefined } | undefined {
  try {
    return parseTransaction(raw as Hex)
  } catch {
    return undefined
  }
}
