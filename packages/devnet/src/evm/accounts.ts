import { pbkdf2Sync } from 'node:crypto'
import { type Address, bytesToHex, type Hex } from 'viem'
import { HDKey } from 'viem/accounts'

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
const ROLES = ['treasury', 'lender', 'borrower', 'curator', 'governor'] as const
export type Role = (typeof ROLES)[number]

/** Who makes a new chain. */
export const FOUNDERS: readonly Role[] = ['treasury', 'lender', 'borrower']

export type RoleAccount = {
  readonly address: Address
  /** Derived when it is first read: a start that signs nothing does not pay for it. */
  readonly privateKey: Hex
}

export type RoleAccounts = Readonly<Record<Role, RoleAccount>>

/** What the phrase derives for the chains' account indexes, in the order of {@link ROLES}; a test derives them again. */
const ADDRESSES: readonly (readonly Address[])[] = [
  [
    '0x7962F82c1584Da0e0E45d98f8f264A2560Ec9271',
    '0xa29a84f6ef5055025958caF1453CbFb062076d8e',
    '0xE653861E60050C4fe52b66Ce86c9145e9E214aE0',
    '0x6A6d9fb9B6358bAb90202aF8AD8b58629cb86A17',
    '0x57040545381B4882C67C8eF9e7F8212c91E61Faa',
  ],
  [
    '0xBcF1f32fD22B68c7258feBE0F3C0246Ca33BF73f',
    '0xd151067f8c870d3c0A8fCDD2E1dba1974958fDAD',
    '0x47aD0c282512f4B8ffd8fbcb341FC4F68a1839B7',
    '0x2DAFE2b62C7700BBafEdAD9472F8157387BF802b',
    '0xA23a65E2Ad9410A11703D73e7dbB830094FBeFE6',
  ],
  [
    '0x0Fd32FCaE0FcB93396d939656c6Be1732dd8D24f',
    '0x10967bd3C6483E4d2C640a2eF14E0378b256856D',
    '0xbD3B0F1e83Ea9B89D1aAAC5378570176F46c95f3',
    '0x60F613DFa37594eE92477D52C135F8A8fc8A8d3A',
    '0x8Dd55eEe7f3E0446B839F5169eCc4f2B7E366F51',
  ],
]

/** A chain's role accounts, the same at each start: m/44'/60'/accountIndex'/0/role (BIP-44). */
export function roleAccounts(accountIndex: number): RoleAccounts {
  const addresses = ADDRESSES[accountIndex]
  if (addresses === undefined) throw new Error(`No addresses are listed for the account index ${accountIndex}`)
  const entries = ROLES.map((role, index) => [role, roleAccount(addresses[index]!, accountIndex, index)] as const)
  return Object.fromEntries(entries) as RoleAccounts
}

function roleAccount(address: Address, accountIndex: number, index: number): RoleAccount {
  let derived: Hex | undefined
  return {
    address,
    get privateKey() {
      derived ??= privateKeyOf(accountIndex, index)
      return derived
    },
  }
}

function privateKeyOf(accountIndex: number, index: number): Hex {
  const seed = pbkdf2Sync(MNEMONIC, 'mnemonic', 2048, 64, 'sha512')
  const { privateKey } = HDKey.fromMasterSeed(seed).derive(`m/44'/60'/${accountIndex}'/0/${index}`)
  if (privateKey === null) throw new Error('The development phrase derived no private key')
  return bytesToHex(privateKey)
}
