import { createHash } from 'node:crypto'
import {
  type Address,
  createKeyPairSignerFromPrivateKeyBytes,
  getAddressEncoder,
  type KeyPairSigner,
} from '@solana/kit'

/**
 * The keys that an embedded chain starts with. Each is derived from a public sentence, so anyone can have
 * it: development only.
 */
type Role = 'treasury' | 'vault program' | 'USDC mint' | 'USDT mint' | 'USDC feed' | 'USDT feed'

const privateKey = (role: Role) => createHash('sha256').update(`Weir development chain: ${role}`).digest()

/** Can sign for a role. */
export function signerOf(role: Role): Promise<KeyPairSigner> {
  return createKeyPairSignerFromPrivateKeyBytes(privateKey(role))
}

export async function addressOf(role: Role): Promise<Address> {
  return (await signerOf(role)).address
}

/** 64 bytes, as wallets export it: private key, then public key. */
export async function secretKeyOf(role: Role): Promise<Uint8Array> {
  return Uint8Array.from([...privateKey(role), ...getAddressEncoder().encode(await addressOf(role))])
}
