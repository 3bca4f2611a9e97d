import { type Address, encodeAbiParameters, type Hex, keccak256, numberToHex, stringToHex } from 'viem'

/** One storage slot of a contract that is set to 1. */
export type Grant = { readonly contract: Address; readonly slot: Hex }

/**
 * Rights are written into storage, although the treasury could grant them by transactions: on a saved chain its nonces
 * belong to payments that the service has signed and may still send.
 */
const IS_MINTER_SLOT = { DevToken: 5n, DevTether: 3n }

/** `isMinter[account]` of a development token. */
export function minterGrant(token: { readonly symbol: string; readonly address: Address }, account: Address): Grant {
  const slot = token.symbol === 'USDT' ? IS_MINTER_SLOT.DevTether : IS_MINTER_SLOT.DevToken
  return { contract: token.address, slot: entryOf(account, numberToHex(slot, { size: 32 })) }
}

/** `_roles[POOL_ADMIN].members[account]` of Aave's ACLManager, whose roles are in slot 0. */
export function poolAdminGrant(access: Address, account: Address): Grant {
  const members = keccak256(
    encodeAbiParameters([{ type: 'bytes32' }, { type: 'uint256' }], [keccak256(stringToHex('POOL_ADMIN')), 0n]),
  )
  return { contract: access, slot: entryOf(account, members) }
}

/** The slot of a mapping's entry for this account. */
function entryOf(account: Address, mapping: Hex): Hex {
  return keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'bytes32' }], [account, mapping]))
}
