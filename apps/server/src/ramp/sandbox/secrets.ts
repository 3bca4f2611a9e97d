import { createHmac, hkdfSync } from 'node:crypto'

/** Secrets of the sandbox provider, each for one purpose, derived from one root that outlives encryption keys. */
export interface SandboxSecrets {
  /** The key of a deposit address, by its account id, which is never reused. */
  depositKey(accountId: number): Uint8Array
  /** An unguessable token derived from the name. */
  tokenFor(name: string): string
  /** Pseudorandom digits derived from the name. */
  digitsFor(name: string, length: number): string
  /** Signs messages of the provider. */
  sign(text: string): string
}

/** `rootKey`: 64 hexadecimal digits. */
export function sandboxSecrets(rootKey: string): SandboxSecrets {
  const root = Buffer.from(rootKey, 'hex')
  const derive = (purpose: string) => new Uint8Array(hkdfSync('sha256', root, '', `weir ramp sandbox ${purpose}`, 32))
  const [tokens, numbers, signatures] = [derive('tokens'), derive('numbers'), derive('signatures')]
  const hmac = (key: Uint8Array, text: string) => createHmac('sha256', key).update(text)
  return {
    depositKey: (accountId) => derive(`deposit ${accountId}`),
    tokenFor: (name) => hmac(tokens, name).digest('base64url'),
    digitsFor(name, length) {
      const value = BigInt(`0x${hmac(numbers, name).digest('hex')}`) % 10n ** BigInt(length)
      return value.toString().padStart(length, '0')
    },
    sign: (text) => hmac(signatures, text).digest('hex'),
  }
}
