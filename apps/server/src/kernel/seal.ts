import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'
import { assert } from './errors.ts'
import type { RandomSource } from './ids.ts'

/** Encrypts stored text that must be read again, such as the secrets that sign webhooks. */
export interface Sealer {
  /**
   * `label` names the text and its owner (`webhook 7/12`). Sealed text opens only under its own label, so someone who
   * can write to the database cannot put one row's secret in place of another's.
   */
  seal(text: string, label: string): Buffer
  /** Throws when the text was sealed with another key or label, or was changed. */
  open(sealed: Uint8Array, label: string): string
}

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * AES-256-GCM with a separate key for each purpose, derived from the service's key (64 hexadecimal digits, the setting
 * ENCRYPTION_KEY). Sealed text is nonce, tag and ciphertext; the nonce is random.
 */
export function createSealer(encryptionKey: string, purpose: string, random: RandomSource): Sealer {
  assert(/^[0-9a-f]{64}$/i.test(encryptionKey), 'an encryption key is 32 bytes in hexadecimal digits')
  const key = new Uint8Array(hkdfSync('sha256', Buffer.from(encryptionKey, 'hex'), '', `weir ${purpose}`, 32))
  return {
    seal(text, label) {
      const nonce = random(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(label))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), body])
    },
    open(sealed, label) {
      const nonce = sealed.subarray(0, NONCE_BYTES)
      const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)
      const cipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
      cipher.setAAD(Buffer.from(label)).setAuthTag(tag)
      const body = cipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES))
      return Buffer.concat([body, cipher.final()]).toString('utf8')
    },
  }
}
