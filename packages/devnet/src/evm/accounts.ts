import { pbkdf2Sync } from 'node:crypto'
import { type Address, bytesToHex, type Hex } from 'viem'
import { HDKey, privateKeyToAddress } from 'viem/accounts'

/**
 * The accounts that run an embedded chain. The keys are public: development only. The phrase is unique to
 * this repository: a wallet that imported a tool's well-known test phrase does not own the treasury.
 */
const MNEMONIC = 'ski walnut sound collect keep arrest large few again toast typical olive'

/**
 * Treasury: deploys, mints tokens, pays gas. Lender and borrower make the Aave market real. The curator deploys what
 * later releases add to a saved chain, and does nothing else, so that its nonce shows which additions are missing.
 * The governor changes the state of venues while the chain runs.
 */
export type Role = 'treasury' | 'lender' | 'borrower' | 'curator' | 'governor'

/** Who makes a new chain. */
export const FOUNDERS: readonly Role[] = ['treasury', 'lender', 'borrower']

type RoleAccount = { readonly address: Address; readonly privateKey: Hex }

export type RoleAccounts = Readonly<Record<Role, RoleAccount>>

/** Derives a chain's role accounts deterministically: m/44'/60'/accountIndex'/0/role (BIP-44). */
export function roleAccounts(accountIndex: number): RoleAccounts {
  const seed = pbkdf2Sync(MNEMONIC, 'mnemonic', 2048, 64, 'sha512')
  const branch = HDKey.fromMasterSeed(seed).derive(`m/44'/60'/${accountIndex}'/0`)
  const account = (index: number): RoleAccount => {
    const { privateKey } = branch.deriveChild(index)
    if (privateKey === null) throw new Error('The development phrase derived no private key')
    const key = bytesToHex(privateKey)
    return { address: privateKeyToAddress(key), privateKey: key }
  }
  return {
    treasury: account(0),
    lender: account(1),
    borrower: account(2),
    curator: account(3),
    governor: account(4),
  }
}
