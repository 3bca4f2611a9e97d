import { apyFromGrowth } from '../../kernel/index.ts'

/** What a protocol tracked of its rewards over a period, and what they are worth. */
export interface RewardGrowth {
  /** The share price and the reward index at the beginning; the index at the end. */
  readonly pastPrice: bigint
  readonly pastIndex: bigint | null
  readonly index: bigint | null
  /** Whether a deposit earns rewards at the end. */
  readonly accrues: boolean | null
  /** As in `RewardReading.paidIn`. */
  readonly factor: bigint | null
  /** 1e-8 US dollars for a reward token, and for a token of the deposit; `null`: no feed says so. */
  readonly rewardPrice: bigint | null
  readonly tokenPrice: bigint | null
  readonly seconds: number
}

/**
 * What rewards in another token added to a deposit over a period, as docs/apy.md defines an APY, at the price of the
 * token at the end. `null`: not known. Zero without a price only where nothing grew and nothing grows.
 */
export function rewardApy({ pastPrice, pastIndex, index, accrues, seconds, ...paid }: RewardGrowth): number | null {
  const { factor, rewardPrice, tokenPrice } = paid
  if (pastIndex === null || index === null || index < pastIndex) return null
  if (index === pastIndex && accrues === false) return 0
  if (factor === null || rewardPrice === null || tokenPrice === null || pastPrice <= 0n) return null
  const deposit = pastPrice * tokenPrice * FACTOR_SCALE
  const rewards = (index - pastIndex) * factor * rewardPrice
  return apyFromGrowth(deposit, deposit + rewards, seconds)
}

/** The scale of `RewardReading.paidIn.factor`. */
const FACTOR_SCALE = 10n ** 18n
