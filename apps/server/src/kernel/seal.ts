import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'
import { assert } from './errors.ts'
import type { RandomSource } from './ids.ts'

/** Encrypts texts that must be read again, such as secrets that sign webhooks, before they are stored. */
export interface Sealer {
  /**
   * `label` says what the text is and whose (`webhook 7/12`): a sealed text opens under its own label only, so that
   * nobody who can write to the database can put one row's secret in the place of another's.
   */
  seal(text: string, label: string): Buffer
  /** Throws when the text was sealed with another key or label, or was changed. */
  open(sealed: Uint8Array, label: string): string
}

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * AES-256-GCM with a key of its own for each purpose, derived from the service's (64 hexadecimal digits, the setting
 * ENCRYPTION_KEY). A sealed text is nonce, tag and cipher text; the nonce is random.
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
