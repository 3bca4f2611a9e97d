import { base58 } from '@scure/base'
import { ContractUnavailableError } from '../contract-unavailable.ts'

/** A vault as stored in its account; the program's README documents the layout. Amounts in base units. */
export interface VaultState {
  readonly tokenMint: string
  readonly shareMint: string
  /** As of `accruedAt`. */
  readonly assets: bigint
  readonly shares: bigint
  /** Unix seconds. */
  readonly accruedAt: bigint
  /** Growth of the assets per second: numerator over denominator. */
  readonly rate: readonly [numerator: bigint, denominator: bigint]
  /** The remaining budget that pays yield. */
  readonly yieldLeft: bigint
  /** Part of the price from the start, so that the first depositor cannot manipulate it. */
  readonly virtualAssets: bigint
  readonly virtualShares: bigint
  readonly paused: boolean
  /** The most assets after a deposit; null: no cap. */
  readonly cap: bigint | null
}

const SIZE = 192
const MAGIC = 0x31544c5652494557n

/** Throws CHAIN_UNAVAILABLE if the account is not a vault: a guess in its place would move money (rule 12). */
export function readVault(address: string, data: Buffer | undefined): VaultState {
  if (!isVault(data)) throw new ContractUnavailableError(address, 'as a share vault')
  const u64 = (at: number) => data.readBigUInt64LE(at)
  const capAndOne = u64(8) >> 16n
  return {
    tokenMint: base58.encode(data.subarray(16, 48)),
    shareMint: base58.encode(data.subarray(48, 80)),
    assets: u64(112),
    shares: u64(120),
    accruedAt: data.readBigInt64LE(128),
    rate: [u64(136), u64(144)],
    yieldLeft: u64(152),
    virtualAssets: u64(160),
    virtualShares: u64(168),
    paused: data[9] !== 0,
    cap: capAndOne === 0n ? null : capAndOne - 1n,
  }
}

export const isVault = (data: Buffer | undefined): data is Buffer =>
  data?.length === SIZE && data.readBigUInt64LE(0) === MAGIC

/** The vault at a time of the chain's clock: simple interest since its last touch, as long as its budget lasts. */
export function accrueTo(vault: VaultState, time: Date): VaultState {
  const seconds = BigInt(Math.floor(time.getTime() / 1_000)) - vault.accruedAt
  if (seconds <= 0n) return vault
  const [numerator, denominator] = vault.rate
  const accrued = (vault.assets * numerator * seconds) / denominator
  const interest = accrued < vault.yieldLeft ? accrued : vault.yieldLeft
  return {
    ...vault,
    assets: vault.assets + interest,
    yieldLeft: vault.yieldLeft - interest,
    accruedAt: vault.accruedAt + seconds,
  }
}
