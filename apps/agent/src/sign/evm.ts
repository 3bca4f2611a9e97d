import { type Hex, keccak256, parseTransaction, serializeTransaction, type TransactionSerializableEIP1559 } from 'viem'
import { recoverable } from './secp256k1.ts'

/** The signing hash of an EIP-1559 transaction: the hash of its unsigned bytes. */
export function evmDigest(unsigned: string): Hex {
  return keccak256(unsigned as Hex)
}

/** Attaches a signature (r and s) to unsigned bytes. Throws when it is not the signer's. */
export async function evmSigned(
  unsigned: string,
  compact: Uint8Array,
  signer: string,
): Promise<{ raw: string; hash: string }> {
  const signature = await recoverable(compact, evmDigest(unsigned), signer)
  const transaction = parseTransaction(unsigned as Hex) as TransactionSerializableEIP1559
  const raw = serializeTransaction({ ...transaction, type: 'eip1559' }, signature)
  return { raw, hash: keccak256(raw) }
}
