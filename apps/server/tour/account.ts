import { getAddressFromPublicKey } from '@solana/addresses'
import { generateKeyPair } from '@solana/keys'
import { getBase64EncodedWireTransaction, getTransactionDecoder, partiallySignTransaction } from '@solana/transactions'
import { type Hex, parseTransaction } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

/** An account whose private key never leaves the tour: Weir sees only the address and the signed bytes. */
export interface Account {
  readonly address: string
  /** Signs unsigned bytes as the service issues them; returns signed bytes as it accepts them. */
  sign(unsigned: string): Promise<string>
}

export function createAccount(blockchain: string): Promise<Account> {
  return blockchain === 'solana' ? solanaAccount() : evmAccount()
}

async function evmAccount(): Promise<Account> {
  const account = privateKeyToAccount(generatePrivateKey())
  return {
    address: account.address,
    sign: (unsigned) =>
      account.signTransaction(parseTransaction(unsigned as Hex) as Parameters<typeof account.signTransaction>[0]),
  }
}

async function solanaAccount(): Promise<Account> {
  const pair = await generateKeyPair()
  return {
    address: await getAddressFromPublicKey(pair.publicKey),
    async sign(unsigned) {
      const transaction = getTransactionDecoder().decode(Buffer.from(unsigned, 'base64'))
      return getBase64EncodedWireTransaction(await partiallySignTransaction([pair], transaction))
    },
  }
}
