import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto'
import { assert } from './errors.ts'
import type { RandomSource } from './ids.ts'
import { isKeyId, type KeyRing, ringOf, UNNAMED_KEY_ID } from './key-ring.ts'

/** Encrypts stored text that must be read again, such as the secrets that sign webhooks. */
export interface Sealer {
  /**
   * `label` names the text and its owner (`webhook 7/12`). Sealed text opens only under its own label, so someone who
   * can write to the database cannot put one row's secret in place of another's.
   */
  seal(text: string, label: string): Buffer
  /**
   * Throws a {@link MissingKeyError} when the key is not in the ring, and another error when the text was sealed with
   * another label or changed.
   */
  open(sealed: Uint8Array, label: string): string
}

/**
 * A stored value is sealed with a key that this process does not have. Others may have it, and so may this one once it
 * is restarted: the value is not damaged.
 */
export class MissingKeyError extends Error {
  override readonly name = 'MissingKeyError'

  constructor(keyId: string) {
    super(`a stored value is sealed with the key ${keyId}, which is not in the key ring`)
  }
}

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** Begins sealed text that names its key: these bytes, the length of the id, the id. */
const SEAL_HEADER = Buffer.from('WR\u0001', 'latin1')

/**
 * AES-256-GCM with a separate key for each purpose, derived from the keys of the ring (64 hexadecimal digits each).
 * Sealed text is the header with the key's id, then nonce, tag and ciphertext; the nonce is random, and the tag also
 * covers header and label. The key without an id seals without a header, as versions before key rings did and expect.
 */
export function createSealer(keys: KeyRing | string, purpose: string, random: RandomSource): Sealer {
  const ring = ringOf(keys)
  const derived = new Map([...ring.keys].map(([id, key]) => [id, sealingKey(key, purpose)]))
  const keyOf = (id: string): Uint8Array => {
    const key = derived.get(id)
    if (key === undefined) throw new MissingKeyError(id)
    return key
  }
  return {
    seal: (text, label) => {
      const header = headerOf(ring.currentId)
      return Buffer.concat([header, encrypt(keyOf(ring.currentId), text, { random, bound: boundTo(header, label) })])
    },
    open(sealed, label) {
      const id = sealingKeyId(sealed)
      const header = headerOf(id)
      return decrypt(keyOf(id), sealed.subarray(header.length), boundTo(header, label))
    },
  }
}

/** The id of the key that sealed a text; 0 if it names none. */
export function sealingKeyId(sealed: Uint8Array): string {
  const length = sealed[SEAL_HEADER.length] ?? 0
  const isNamed = SEAL_HEADER.equals(sealed.subarray(0, SEAL_HEADER.length))
  const start = SEAL_HEADER.length + 1
  const id = Buffer.from(sealed.subarray(start, start + length)).toString('latin1')
  return isNamed && isKeyId(id) ? id : UNNAMED_KEY_ID
}

/**
 * A keyed hash that finds equal text in a sealed column without opening it. Nobody without the key (64 hexadecimal
 * digits) can test a guess. `context` names column and owner: equal text of two organizations has different hashes.
 */
export function blindIndex(key: string, context: string, text: string): Buffer {
  const derived = sealingKey(key, 'blind index')
  return createHmac('sha256', derived)
    .update(JSON.stringify([context, text]))
    .digest()
}

function sealingKey(key: string, purpose: string): Uint8Array {
  assert(/^[0-9a-f]{64}$/i.test(key), 'an encryption key is 32 bytes in hexadecimal digits')
  return new Uint8Array(hkdfSync('sha256', Buffer.from(key, 'hex'), '', `weir ${purpose}`, 32))
}

function headerOf(id: string): Buffer {
  if (id === UNNAMED_KEY_ID) return Buffer.alloc(0)
  return Buffer.concat([SEAL_HEADER, Buffer.from([id.length]), Buffer.from(id, 'latin1')])
}

function boundTo(header: Buffer, label: string): Buffer {
  return Buffer.concat([header, Buffer.from(label)])
}

function encrypt(
  key: Uint8Array,
  text: string,
  { random, bound }: { readonly random: RandomSource; readonly bound: Buffer },
): Buffer {
  const nonce = random(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(bound)
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body])
}

function decrypt(key: Uint8Array, sealed: Uint8Array, bound: Buffer): string {
  const nonce = sealed.subarray(0, NONCE_BYTES)
  const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)
  const cipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
  cipher.setAAD(bound).setAuthTag(tag)
  const body = cipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES))
  return Buffer.concat([body, cipher.final()]).toString('utf8')
}
