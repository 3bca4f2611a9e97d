import { type Hex, type LocalAccount, parseTransaction, type TransactionSerializable } from 'viem'
import type { Signer } from './execute.ts'

/** Signs with a viem account that holds its key, such as `privateKeyToAccount(key)`. */
export function viemSigner(account: Pick<LocalAccount, 'signTransaction'>): Signer {
  return {
    async sign({ bytes }) {
      const transaction = parseTransaction(bytes as Hex) as TransactionSerializable
      return account.signTransaction(transaction)
    },
  }
}
