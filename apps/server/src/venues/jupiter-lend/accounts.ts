import { base58 } from '@scure/base'
import { ContractUnavailableError } from '../contract-unavailable.ts'
import { discriminator } from './program.ts'

/**
 * The accounts of a market. Amounts are raw: times the liquidity program's supply price, 1e12 = 1, they are base units.
 * By the programs' interfaces an account is its discriminator (8 bytes), then packed, little-endian.
 */
interface Lending {
  readonly token: string
  readonly shareMint: string
  /** As of the market's last update; 1e12 = 1. */
  readonly liquidityPrice: bigint
  readonly tokenPrice: bigint
}

interface TokenReserve {
  /** As of the reserve's last update. */
  readonly supplyPrice: bigint
  readonly borrowPrice: bigint
  /** Basis points a year. */
  readonly borrowRate: bigint
  /** Basis points of the interest. */
  readonly fee: bigint
  readonly supplied: bigint
  readonly borrowed: bigint
}

/** The withdrawal limit is as Fluid's on EVM chains: the supply that must stay, falling with time. */
interface SupplyPosition {
  readonly supplied: bigint
  readonly limit: bigint
  /** Seconds. */
  readonly updatedAt: bigint
  /** Basis points. */
  readonly expandPercent: bigint
  readonly expandSeconds: bigint
  readonly isPaused: boolean
}

/** 8 mint, 40 share mint, 72 id u16, decimals u8, 75 rewards model, 107 two prices u64, 123 time u64, two keys, bump. */
export const LENDING = { size: 196, token: 8, shareMint: 40, liquidityPrice: 107, tokenPrice: 115 } as const

/**
 * 8 mint, 40 vault, 72 borrow rate, fee, utilization: u16 each, 78 time u64, 86 supply and borrow price u64 each, 102
 * the highest utilization u16, 104 supplied with interest and free, borrowed with interest and free, claims: u64 each,
 * and fields of a call in progress.
 */
export const RESERVE = {
  size: 192,
  borrowRate: 72,
  fee: 74,
  supplyPrice: 86,
  borrowPrice: 94,
  supplied: 104,
  borrowed: 120,
} as const

/**
 * 8 user, 40 mint, 72 with interest u8, 73 amount u64, 81 limit u64, 89 an amount that decays u64, 97 time u64, 105
 * expand percent u16, 107 its duration u32, 111 the decay's duration u32, 115 base limit u64, 123 status u8.
 */
export const POSITION = {
  size: 124,
  supplied: 73,
  limit: 81,
  updatedAt: 97,
  expandPercent: 105,
  expandSeconds: 107,
  status: 123,
} as const

const ACTIVE = 0

/** Throws CHAIN_UNAVAILABLE if the account is not a market: a guess in its place would move money (rule 12). */
export function readLending(address: string, data: Buffer | undefined): Lending {
  const { key, u64 } = fieldsOf(address, data, { name: 'Lending', size: LENDING.size })
  return {
    token: key(LENDING.token),
    shareMint: key(LENDING.shareMint),
    liquidityPrice: u64(LENDING.liquidityPrice),
    tokenPrice: u64(LENDING.tokenPrice),
  }
}

export function readReserve(address: string, data: Buffer | undefined): TokenReserve {
  const { u16, u64 } = fieldsOf(address, data, { name: 'TokenReserve', size: RESERVE.size })
  return {
    borrowRate: u16(RESERVE.borrowRate),
    fee: u16(RESERVE.fee),
    supplyPrice: u64(RESERVE.supplyPrice),
    borrowPrice: u64(RESERVE.borrowPrice),
    supplied: u64(RESERVE.supplied),
    borrowed: u64(RESERVE.borrowed),
  }
}

export function readPosition(address: string, data: Buffer | undefined): SupplyPosition {
  const { bytes, u16, u64 } = fieldsOf(address, data, { name: 'UserSupplyPosition', size: POSITION.size })
  return {
    supplied: u64(POSITION.supplied),
    limit: u64(POSITION.limit),
    updatedAt: u64(POSITION.updatedAt),
    expandPercent: u16(POSITION.expandPercent),
    expandSeconds: BigInt(bytes.readUInt32LE(POSITION.expandSeconds)),
    isPaused: bytes.readUInt8(POSITION.status) !== ACTIVE,
  }
}

/** What a token account holds: u64 at byte 64. */
export function readHeld(address: string, data: Buffer | undefined): bigint {
  if (data === undefined || data.length < 72) throw new ContractUnavailableError(address, 'as a token account')
  return data.readBigUInt64LE(64)
}

/** How many shares a mint has: u64 at byte 36. */
export function readSupply(address: string, data: Buffer | undefined): bigint {
  if (data === undefined || data.length < 44) throw new ContractUnavailableError(address, 'as a mint')
  return data.readBigUInt64LE(36)
}

function fieldsOf(address: string, data: Buffer | undefined, { name, size }: { name: string; size: number }) {
  if (data?.length !== size || !data.subarray(0, 8).equals(discriminator('account', name)))
    throw new ContractUnavailableError(address, `as ${name} of Jupiter Lend`)
  return {
    bytes: data,
    key: (at: number) => base58.encode(data.subarray(at, at + 32)),
    u16: (at: number) => BigInt(data.readUInt16LE(at)),
    u64: (at: number) => data.readBigUInt64LE(at),
  }
}
