import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { base58 } from '@scure/base'

/** A key of somebody's own. The same number gives the same key in every seed. */
export interface Key {
  readonly address: string
  /** 64 bytes; the same message is always signed alike. */
  sign(message: Uint8Array): Uint8Array
}

/** What stands before the 32 secret bytes of an Ed25519 key in PKCS #8. */
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

/** An address that nobody has the key of, by its name. */
export const addressNamed = (name: string): string => base58.encode(digestOf(name))

export function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
