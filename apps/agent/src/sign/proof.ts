import { verify } from 'node:crypto'
import { base58 } from '@scure/base'
import { concatHex, hashMessage, hexToBytes, numberToHex } from 'viem'
import { recoverable } from './secp256k1.ts'
import { publicKeyOf } from './solana.ts'

type Family = 'evm' | 'svm'

/** What a key signs to prove itself: on EVM the digest of a personal message (EIP-191), on Solana the text's bytes. */
export function proofPayload(family: Family, challenge: string): Uint8Array {
  return family === 'evm' ? hexToBytes(hashMessage(challenge)) : Buffer.from(challenge)
}

/** A proof as the service takes it: 65 bytes in hex on EVM, base58 on Solana. Throws when it is not the signer's. */
export async function proofSignature(
  { family, address, challenge }: { readonly family: Family; readonly address: string; readonly challenge: string },
  signature: Uint8Array,
): Promise<string> {
  if (family === 'evm') {
    const { r, s, yParity } = await recoverable(signature, hashMessage(challenge), address)
    return concatHex([r, s, numberToHex(27 + yParity, { size: 1 })])
  }
  if (!verify(null, Buffer.from(challenge), publicKeyOf(address), signature))
    throw new Error(`the signature is not ${address}'s`)
  return base58.encode(signature)
}
