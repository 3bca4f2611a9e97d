import {
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getTransactionDecoder,
  type KeyPairSigner,
  partiallySignTransaction,
} from '@solana/kit'
import type { Signer } from './execute.ts'

/** Signs with a key pair of `@solana/kit`, such as the one that `generateKeyPairSigner()` returns. */
export function solanaSigner({ keyPair }: Pick<KeyPairSigner, 'keyPair'>): Signer {
  return {
    async sign({ bytes }) {
      const transaction = getTransactionDecoder().decode(getBase64Encoder().encode(bytes))
      return getBase64EncodedWireTransaction(await partiallySignTransaction([keyPair], transaction))
    },
  }
}
