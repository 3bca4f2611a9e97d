import { type Hex, parseTransaction } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

/** A wallet whose key exists in the memory of this tab only. */
export interface BrowserWallet {
  readonly address: string
  /** Signs unsigned bytes of the sandbox's chains. Throws for any other chain. */
  sign(serialized: string): Promise<string>
}

/** The sandbox's own chain ids: what this wallet signs is worth nothing anywhere else. */
const SANDBOX_CHAINS = new Set([31_337, 31_338, 31_339])

export function createBrowserWallet(): BrowserWallet {
  const account = privateKeyToAccount(generatePrivateKey())
  return {
    address: account.address,
    async sign(serialized) {
      const transaction = parseTransaction(serialized as Hex)
      if (transaction.chainId === undefined || !SANDBOX_CHAINS.has(transaction.chainId))
        throw new Error('This wallet signs for the sandbox only.')
      return account.signTransaction(transaction as Parameters<typeof account.signTransaction>[0])
    },
  }
}
