import { createPublicKey, verify } from 'node:crypto'
import { base58 } from '@scure/base'

/** Verified bytes have one signature: a count, the signature slot, then the signed message. */
const SIGNATURE_AT = 1
const MESSAGE_AT = 65
/** Version, three counts, and the number of accounts. */
const ACCOUNTS_AT = MESSAGE_AT + 5
const KEY_BYTES = 32
const ED25519_SPKI = Buffer.from('302a300506032b6570032100', 'hex')

/** The message that a wallet signs on Solana. */
export function solanaMessage(unsigned: string): Uint8Array {
  return Buffer.from(unsigned, 'base64').subarray(MESSAGE_AT)
}

/** The public key of a Solana address. */
export function publicKeyOf(address: string) {
  return createPublicKey({ key: Buffer.concat([ED25519_SPKI, base58.decode(address)]), format: 'der', type: 'spki' })
}

/** Attaches a signature to unsigned bytes. Throws when it is not the signer's. */
export function solanaSigned(unsigned: string, signature: Uint8Array, signer: string): { raw: string; hash: string } {
  if (signature.length !== 64) throw new Error(`a signature has 64 bytes, not ${signature.length}`)
  if (!verify(null, solanaMessage(unsigned), publicKeyOf(signer), signature))
    throw new Error(`the signature is not ${signer}'s`)
  const bytes = Buffer.from(unsigned, 'base64')
  bytes.set(signature, SIGNATURE_AT)
  return { raw: bytes.toString('base64'), hash: base58.encode(signature) }
}

/** The blockhash of a verified version-0 transaction. It follows the accounts, whose count is one byte below 128. */
export function blockhashOf(transaction: string): string {
  const bytes = Buffer.from(transaction, 'base64')
  const accounts = bytes[ACCOUNTS_AT - 1]!
  const at = ACCOUNTS_AT + accounts * KEY_BYTES
  return base58.encode(bytes.subarray(at, at + KEY_BYTES))
}
