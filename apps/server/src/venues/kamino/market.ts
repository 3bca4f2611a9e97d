import { ContractUnavailableError } from '../contract-unavailable.ts'
import { discriminator } from './program.ts'

/** What a lending market decides for all of its reserves. */
export interface LendingMarket {
  /** Its reserves cannot be refreshed, so that nothing moves. */
  readonly isHalted: boolean
  /** The most that a reserve's rewards may add to a deposit, in hundredths of a percent a year; 0: there are none. */
  readonly rewardsMaxAprBps: bigint
  /** Whether an authority is named that must sign the permissioned operations; without one nobody must. */
  readonly hasPermissioner: boolean
  /** The operations that are permissioned in every reserve: a bit for each kind. */
  readonly permissionedOps: bigint
}

const SIZE = 4_664
const DISCRIMINATOR = discriminator('account', 'LendingMarket')

/** Where each field starts, from the first byte of the account's data, by the program's interface. */
export const MARKET_OFFSETS = {
  /** u8, after version, bump, two owners, the quote currency, and the referral fee. */
  isHalted: 122,
  /** u16, after five switches and a byte; they follow the authority that proposes, and the least filled order. */
  rewardsMaxAprBps: 3_358,
  /** An address, or 32 bytes of zero; after five u64. */
  hasPermissioner: 3_400,
  /** u64. */
  permissionedOps: 3_432,
} as const

/** Throws CHAIN_UNAVAILABLE if the account is not a market. */
export function readMarket(address: string, data: Buffer | undefined): LendingMarket {
  if (data?.length !== SIZE || !data.subarray(0, 8).equals(DISCRIMINATOR)) {
    throw new ContractUnavailableError(address, 'as a lending market of Kamino Lend')
  }
  return {
    isHalted: data.readUInt8(MARKET_OFFSETS.isHalted) !== 0,
    rewardsMaxAprBps: BigInt(data.readUInt16LE(MARKET_OFFSETS.rewardsMaxAprBps)),
    hasPermissioner: data.subarray(MARKET_OFFSETS.hasPermissioner, MARKET_OFFSETS.permissionedOps).some(Boolean),
    permissionedOps: data.readBigUInt64LE(MARKET_OFFSETS.permissionedOps),
  }
}
