import { base58 } from '@scure/base'
import { ContractUnavailableError } from '../contract-unavailable.ts'
import { discriminator } from './program.ts'

/**
 * A reserve as stored in its account: one token of a lending market, in which depositors hold shares. Amounts in base
 * units; fields ending in `Sf` in units of 2⁻⁶⁰. Everything is as of `refreshedAt`, without interest and
 * rewards since then.
 */
export interface Reserve {
  readonly address: string
  readonly lendingMarket: string
  /** Slot. */
  readonly refreshedAt: bigint
  readonly liquidityMint: string
  /** Holds the tokens that are not lent out. */
  readonly supplyVault: string
  /** SPL Token, or Token-2022. */
  readonly liquidityProgram: string
  /** The mint of the shares, an SPL Token mint. */
  readonly collateralMint: string
  readonly shares: bigint
  readonly available: bigint
  readonly borrowedSf: bigint
  /** Fees: parts of the reserve that do not belong to the depositors. */
  readonly protocolFeesSf: bigint
  readonly referrerFeesSf: bigint
  readonly pendingReferrerFeesSf: bigint
  /** Shares of depositors who wait for tokens to be there; they are paid first. */
  readonly queuedShares: bigint
  /** Rewards that refreshes move to `available` bit by bit; they belong to nobody until then. */
  readonly rewardsAvailable: bigint
  readonly oracles: Oracles
}

/** The reserve's price sources; `undefined` means not used. */
export interface Oracles {
  readonly pyth: string | undefined
  readonly switchboardPrice: string | undefined
  readonly switchboardTwap: string | undefined
  readonly scope: string | undefined
}

const SIZE = 8_624
const DISCRIMINATOR = discriminator('account', 'Reserve')

/**
 * Where each field starts, from the first byte of the account's data. By the program's interface an account is its
 * discriminator (8 bytes), then packed, little-endian:
 *
 *     8     version u64
 *     16    last update: slot u64, stale u8, price status u8, 6 bytes
 *     32    lending market, farm of the shares, farm of the debt: 32 bytes each
 *     128   liquidity (1,232 bytes): mint, supply vault, fee vault: 32 each; 224 available u64; 232 borrowed u128;
 *           248 market price u128; 264 its time, decimals, two more: u64 each; 296 borrow rate 48 bytes;
 *           344 fees of the protocol, 360 of referrers, 376 pending of referrers, 392 referral rate: u128 each;
 *           408 token program; 440 rewards u64; then padding
 *     1360  padding, 1,200 bytes
 *     2560  collateral (1,096 bytes): mint; 2592 total supply u64; 2600 supply vault; then padding
 *     3656  padding, 1,200 bytes
 *     4856  configuration: at 176 of it token information, whose oracles are at 80: Scope's feed, 16 bytes of
 *           indexes, Switchboard's price and its average, Pyth's price; then padding
 *     6704  debt outside of elevation groups u64, debt in each of them u64
 *     6968  queue of withdrawals: shares u64, two numbers of tickets u64; then padding
 */
export const OFFSETS = {
  refreshedAt: 16,
  lendingMarket: 32,
  liquidityMint: 128,
  supplyVault: 160,
  available: 224,
  borrowedSf: 232,
  protocolFeesSf: 344,
  referrerFeesSf: 360,
  pendingReferrerFeesSf: 376,
  liquidityProgram: 408,
  rewardsAvailable: 440,
  collateralMint: 2_560,
  shares: 2_592,
  scope: 5_112,
  switchboardPrice: 5_160,
  switchboardTwap: 5_192,
  pyth: 5_224,
  queuedShares: 6_968,
} as const

/** Mark an unconfigured oracle: zero bytes, or the address that the protocol writes for "none". */
const NO_ORACLE = new Set(['11111111111111111111111111111111', 'nu11111111111111111111111111111111111111111'])

/** Throws CHAIN_UNAVAILABLE if the account is not a reserve: a guess in its place would move money (rule 12). */
export function readReserve(address: string, data: Buffer | undefined): Reserve {
  if (data?.length !== SIZE || !data.subarray(0, 8).equals(DISCRIMINATOR)) {
    throw new ContractUnavailableError(address, 'as a reserve of Kamino Lend')
  }
  const key = (at: number) => base58.encode(data.subarray(at, at + 32))
  const u64 = (at: number) => data.readBigUInt64LE(at)
  const u128 = (at: number) => u64(at) | (u64(at + 8) << 64n)
  const oracle = (at: number) => (NO_ORACLE.has(key(at)) ? undefined : key(at))
  return {
    address,
    lendingMarket: key(OFFSETS.lendingMarket),
    refreshedAt: u64(OFFSETS.refreshedAt),
    liquidityMint: key(OFFSETS.liquidityMint),
    supplyVault: key(OFFSETS.supplyVault),
    liquidityProgram: key(OFFSETS.liquidityProgram),
    collateralMint: key(OFFSETS.collateralMint),
    shares: u64(OFFSETS.shares),
    available: u64(OFFSETS.available),
    borrowedSf: u128(OFFSETS.borrowedSf),
    protocolFeesSf: u128(OFFSETS.protocolFeesSf),
    referrerFeesSf: u128(OFFSETS.referrerFeesSf),
    pendingReferrerFeesSf: u128(OFFSETS.pendingReferrerFeesSf),
    queuedShares: u64(OFFSETS.queuedShares),
    rewardsAvailable: u64(OFFSETS.rewardsAvailable),
    oracles: {
      pyth: oracle(OFFSETS.pyth),
      switchboardPrice: oracle(OFFSETS.switchboardPrice),
      switchboardTwap: oracle(OFFSETS.switchboardTwap),
      scope: oracle(OFFSETS.scope),
    },
  }
}
