import { base58 } from '@scure/base'
import { toHex } from 'viem'
import { publicKeyToAddress } from 'viem/accounts'
import type { Family } from '../port.ts'

/** The DER prefix (SubjectPublicKeyInfo) before the key itself. */
const PREFIXES: Readonly<Record<Family, Buffer>> = {
  evm: Buffer.from('3056301006072a8648ce3d020106052b8104000a034200', 'hex'),
  svm: Buffer.from('302a300506032b6570032100', 'hex'),
}
const KEY_BYTES: Readonly<Record<Family, number>> = { evm: 65, svm: 32 }

/** The address of a DER public key. Throws for anything else. */
export function addressOfPublicKey(family: Family, der: Uint8Array): string {
  const bytes = Buffer.from(der)
  const prefix = PREFIXES[family]
  const key = bytes.subarray(prefix.length)
  if (!bytes.subarray(0, prefix.length).equals(prefix) || key.length !== KEY_BYTES[family]) {
    throw new Error('the public key has an unexpected form')
  }
  return family === 'evm' ? publicKeyToAddress(toHex(key)) : base58.encode(key)
}
