import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { base58 } from '@scure/base'

/** A holder's key. The same number gives the same key in every seed. */
export interface Key {
  readonly address: string
  /** Returns 64 bytes. Signing is deterministic. */
  sign(message: Uint8Array): Uint8Array
}

/** The PKCS #8 prefix of the 32 secret bytes of an Ed25519 key. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')

export function keyOf(number: number): Key {
  const key: KeyObject = createPrivateKey({
    key: Buffer.concat([PKCS8, digestOf(`key ${number}`)]),
    format: 'der',
    type: 'pkcs8',
  })
  const open = createPublicKey(key).export({ format: 'der', type: 'spki' })
  return {
    address: base58.encode(open.subarray(-32)),
    sign: (message) => sign(null, message, key),
  }
}

/** An address without a key, derived from a name. */
export const addressNamed = (name: string): string => base58.encode(digestOf(name))

export function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
