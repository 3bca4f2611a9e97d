/** What decides how a reserve's deposits grow, by interest and by rewards. */
export interface InterestTerms {
  /** Paid to the market's operator on top of the curve's rate. Hundredths of a percent a year. */
  readonly hostFixedRateBps: bigint
  /** The protocol's share of the interest. */
  readonly protocolTakePct: bigint
  /** Borrow rates by utilization, both in hundredths of a percent; linear between two points. */
  readonly curve: readonly (readonly [utilizationBps: bigint, rateBps: bigint])[]
  /** Rewards for the depositors together, in base units of the reserve's token. */
  readonly rewardsPerSlot: bigint
  /** The most that rewards may add, as the market allows. Hundredths of a percent a year. */
  readonly rewardsMaxAprBps: bigint
}

/** The configuration starts at byte 4,856 of the account's data (reserve.ts); offsets from the program's interface: */
export const INTEREST_TERMS_OFFSETS = {
  /** u16, after status and a byte. */
  hostFixedRateBps: 4_858,
  /** u8. */
  protocolTakePct: 4_870,
  /** Eleven points of two u32, after the fees. */
  curve: 4_920,
  /** u64, after the caps of withdrawals, the limits of loans in elevation groups, and the terms of debt. */
  rewardsPerSlot: 5_792,
} as const

const POINTS = 11

/** Takes data that `readReserve` has verified to be a reserve, and what its market allows. */
export function readInterestTerms(data: Buffer, rewardsMaxAprBps: bigint): InterestTerms {
  const point = (index: number) => {
    const at = INTEREST_TERMS_OFFSETS.curve + index * 8
    return [BigInt(data.readUInt32LE(at)), BigInt(data.readUInt32LE(at + 4))] as const
  }
  return {
    hostFixedRateBps: BigInt(data.readUInt16LE(INTEREST_TERMS_OFFSETS.hostFixedRateBps)),
    protocolTakePct: BigInt(data.readUInt8(INTEREST_TERMS_OFFSETS.protocolTakePct)),
    curve: Array.from({ length: POINTS }, (_, index) => point(index)),
    rewardsPerSlot: data.readBigUInt64LE(INTEREST_TERMS_OFFSETS.rewardsPerSlot),
    rewardsMaxAprBps,
  }
}
