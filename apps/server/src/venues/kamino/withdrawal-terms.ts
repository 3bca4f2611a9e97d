import { maxAmount, minAmount } from '../../kernel/index.ts'
import type { LendingMarket } from './market.ts'
import { redeemableAssets } from './price.ts'
import type { Reserve } from './reserve.ts'

/** In the configuration, which starts at byte 4,856 of the account's data (reserve.ts). */
export const WITHDRAWAL_TERMS_OFFSETS = {
  /** u8: the market's operator halted the reserve. */
  emergencyMode: 4_864,
  /** i64, in base units: the most by which withdrawals may exceed deposits in an interval. After token information. */
  capacity: 5_416,
  /** i64: by how much they did. */
  total: 5_424,
  /** u64, in seconds. */
  startedAt: 5_432,
  /** u64; 0: there is no cap. */
  seconds: 5_440,
} as const

/** A cap of the net withdrawals of an interval. Deposits are never refused by it; they make room. */
export interface WithdrawalCap {
  readonly capacity: bigint
  readonly total: bigint
  readonly startedAt: bigint
  readonly seconds: bigint
}

/** Takes data that `readReserve` has verified to be a reserve. */
export function readWithdrawalCap(data: Buffer): WithdrawalCap {
  return {
    capacity: data.readBigInt64LE(WITHDRAWAL_TERMS_OFFSETS.capacity),
    total: data.readBigInt64LE(WITHDRAWAL_TERMS_OFFSETS.total),
    startedAt: data.readBigUInt64LE(WITHDRAWAL_TERMS_OFFSETS.startedAt),
    seconds: data.readBigUInt64LE(WITHDRAWAL_TERMS_OFFSETS.seconds),
  }
}

/** Whether the reserve itself is halted. Takes data that `readReserve` has verified to be a reserve. */
export function isReserveHalted(data: Buffer): boolean {
  return data.readUInt8(WITHDRAWAL_TERMS_OFFSETS.emergencyMode) !== 0
}

/** Whether nothing moves in the reserve: the market or the reserve itself is halted. */
export const isHalted = (data: Buffer, market: LendingMarket): boolean => market.isHalted || isReserveHalted(data)

/** What the cap leaves at a time in seconds; `undefined`: there is no cap. The first movement after an interval starts the next. */
export function capLeft({ capacity, total, startedAt, seconds }: WithdrawalCap, now: bigint): bigint | undefined {
  if (seconds === 0n) return undefined
  const used = now - startedAt >= seconds ? 0n : total
  return capacity < 0n ? 0n : maxAmount(capacity - used, 0n)
}

/** What all depositors together could withdraw at a time in seconds: what is neither lent nor queued for, up to the cap. */
export function withdrawableFrom(reserve: Reserve, cap: WithdrawalCap, now: bigint): bigint {
  const free = maxAmount(reserve.available - queuedAssets(reserve), 0n)
  const left = capLeft(cap, now)
  return left === undefined ? free : minAmount(free, left)
}

/** What the queue's shares are worth, rounded up. */
export function queuedAssets(reserve: Reserve): bigint {
  return reserve.queuedShares === 0n ? 0n : redeemableAssets(reserve, reserve.queuedShares) + 1n
}
