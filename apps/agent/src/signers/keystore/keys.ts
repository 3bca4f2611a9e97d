import { createPrivateKey, createPublicKey, generateKeyPairSync, sign as signBytes } from 'node:crypto'
import { base58 } from '@scure/base'
import { bytesToHex, hexToBytes, toHex } from 'viem'
import { generatePrivateKey, privateKeyToAddress, sign as signDigest } from 'viem/accounts'
import type { Family } from '../port.ts'

const ED25519_PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')

/** A new private key, 32 bytes. */
export function newSecret(family: Family): Uint8Array {
  if (family === 'evm') return hexToBytes(generatePrivateKey())
  const { privateKey } = generateKeyPairSync('ed25519')
  return privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32)
}

/** The address of a private key, in its chain's format. */
export function addressOf(family: Family, secret: Uint8Array): string {
  if (family === 'evm') return privateKeyToAddress(bytesToHex(secret))
  const spki = createPublicKey(ed25519(secret)).export({ format: 'der', type: 'spki' })
  return base58.encode(spki.subarray(-32))
}

/** A deterministic signature of 64 bytes. `payload` is the digest on EVM, the message on Solana. */
export async function signWith(family: Family, secret: Uint8Array, payload: Uint8Array): Promise<Uint8Array> {
  if (family === 'svm') return signBytes(null, payload, ed25519(secret))
  const { r, s } = await signDigest({ hash: toHex(payload), privateKey: bytesToHex(secret) })
  return Buffer.concat([hexToBytes(r, { size: 32 }), hexToBytes(s, { size: 32 })])
}

function ed25519(secret: Uint8Array) {
  return createPrivateKey({ key: Buffer.concat([ED25519_PKCS8, secret]), format: 'der', type: 'pkcs8' })
}
