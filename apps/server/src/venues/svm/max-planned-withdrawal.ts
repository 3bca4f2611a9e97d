import { gainFromApy, maxAmount, minAmount, WITHDRAWAL_LANDING_DAYS } from '../../kernel/index.ts'
import { PRICE_SCALE } from './price.ts'

interface SharesRedeemed {
  /** What the owner could withdraw now. */
  readonly withdrawable: bigint
  /** What the market can pay to all owners, after those ahead. */
  readonly held: bigint
  /** What the market pays to others first, which earns too. */
  readonly ahead?: bigint
  readonly apy: number
  readonly price: bigint
}

const PARTS = 10n ** 12n

/**
 * The most that a withdrawal planned now can ask for where a program redeems a number of shares: they earn until they
 * land, and fail if they are worth more than the market pays at that time. In base units.
 */
export function maxPlannedWithdrawal({ withdrawable, held, ahead = 0n, apy, price }: SharesRedeemed): bigint {
  const gain = BigInt(Math.ceil(maxGain(apy) * Number(PARTS)))
  const earned = ((held + ahead) * gain) / PARTS + 1n
  // The number of shares is rounded up.
  const rounding = price / PRICE_SCALE + 1n
  return minAmount(withdrawable, maxAmount(held - earned - rounding, 0n))
}

const maxGain = (apy: number): number => Math.max(gainFromApy(apy, WITHDRAWAL_LANDING_DAYS), 0)
