import { createPublicKey, verify } from 'node:crypto'
import { base58 } from '@scure/base'

/** The fixed beginning of an Ed25519 public key in DER form. */
const ED25519_SPKI = Buffer.from('302a300506032b6570032100', 'hex')

/** Whether the key of an address signed a text's UTF-8 bytes (Ed25519). `signature`: 64 bytes in base58. */
export async function isSignedBy(message: string, signature: string, address: string): Promise<boolean> {
  if (!/^[1-9A-HJ-NP-Za-km-z]{64,88}$/.test(signature)) return false
  const bytes = base58.decode(signature)
  if (bytes.length !== 64) return false
  const der = Buffer.concat([ED25519_SPKI, base58.decode(address)])
  return verify(null, Buffer.from(message), createPublicKey({ key: der, format: 'der', type: 'spki' }), bytes)
}
