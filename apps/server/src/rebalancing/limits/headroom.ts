import { maxAmount, mulDivDown, POOL_HEADROOM_PARTS, SUM_DECIMALS, toSumUnits } from '../../kernel/index.ts'
import { mayReportLiquidity, type Strategy } from '../../venues/index.ts'
import { coveredBy, type DepositLimits, type ShareCap } from './deposit-limits.ts'

/** What an organization has in a strategy, deposits in flight included. Base units. */
export interface StrategyUse {
  readonly strategy: Pick<
    Strategy,
    'id' | 'venueName' | 'protocol' | 'blockchain' | 'tokenDecimals' | 'tvl' | 'liquidity'
  >
  readonly inside: bigint
  /** The latest share price, and the highest daily one of the 30 days before it. */
  readonly price: bigint | null
  readonly peak: bigint | null
  /** The part of the position whose withdrawable amount is known, and what could be withdrawn of it at most. */
  readonly readValue: bigint
  readonly withdrawable: bigint
}

/** What remains for a strategy, and the limit that leaves so little, as a text for people. Base units. */
export interface Headroom {
  /** Negative when the limit is exceeded. */
  readonly amount: bigint
  readonly because: string
}

/**
 * The headroom that the limits leave in each strategy; a strategy that no limit concerns is missing. `whole` is everything
 * that the organization holds, in sum units. A pool that was never read has no headroom: its share is unknown. Pure.
 */
export function limitHeadrooms(
  limits: DepositLimits,
  uses: readonly StrategyUse[],
  whole: bigint,
): ReadonlyMap<number, Headroom> {
  const capHeadrooms = limits.caps.map((cap) => ({ cap, left: capHeadroom(cap, uses, whole) }))
  const headrooms = uses.map((use) => {
    const { strategy, inside } = use
    const own = [
      // Negative: even an empty strategy must not take a deposit.
      ...stopReasons(limits, use).map((because) => ({ amount: -inside - 1n, because })),
      ...capHeadrooms
        .filter(({ cap }) => coveredBy(cap, strategy))
        .map(({ cap, left }) => ({ amount: fromSumUnits(left, strategy.tokenDecimals), because: reasonOf(cap) })),
      ...poolHeadrooms(limits, use),
    ]
    const tightest = own.toSorted((a, b) => (a.amount < b.amount ? -1 : Number(a.amount > b.amount)))[0]
    return [strategy.id, tightest] as const
  })
  return new Map(headrooms.filter((entry): entry is [number, Headroom] => entry[1] !== undefined))
}

/** Why a strategy takes no deposit at all, as texts for people. */
function stopReasons(
  { allowedStrategies, priceFallBps, withdrawableShareBps }: DepositLimits,
  { strategy, price, peak, readValue, withdrawable }: StrategyUse,
): string[] {
  const least = (whole: bigint, bps: number) => mulDivDown(whole, BigInt(bps), 10_000n)
  const reasons: string[] = []
  if (allowedStrategies && !allowedStrategies.includes(strategy.id))
    reasons.push("it is not on the organization's allow-list")
  if (typeof priceFallBps === 'number' && price !== null && peak !== null && price < least(peak, 10_000 - priceFallBps))
    reasons.push(`its share price fell by more than ${priceFallBps / 100}% within 30 days`)
  if (typeof withdrawableShareBps === 'number' && withdrawable < least(readValue, withdrawableShareBps))
    reasons.push(`less than ${withdrawableShareBps / 100}% of the position could be withdrawn`)
  return reasons
}

/**
 * A strategy whose withdrawals take time cannot restore a buffer, so it takes no deposit unless the organization names
 * it. Negative: even an empty strategy must not take one.
 */
export function exitHeadroom(
  strategyId: number,
  { allowedStrategies }: Pick<DepositLimits, 'allowedStrategies'>,
): Headroom | undefined {
  if (allowedStrategies?.includes(strategyId)) return undefined
  return { amount: -1n, because: "its withdrawals take time, and it is not on the organization's allow-list" }
}

/** In sum units. */
function capHeadroom(cap: ShareCap, uses: readonly StrategyUse[], whole: bigint): bigint {
  const inside = uses
    .filter(({ strategy }) => coveredBy(cap, strategy))
    .reduce((sum, use) => sum + toSumUnits(use.inside, use.strategy.tokenDecimals), 0n)
  return mulDivDown(whole, BigInt(cap.shareBps), 10_000n) - inside
}

function poolHeadrooms(
  { poolShareBps, liquidityShareBps }: DepositLimits,
  { strategy, inside }: StrategyUse,
): Headroom[] {
  const headroomIn = (pool: bigint | null, bps: number) => {
    const left = mulDivDown(pool ?? 0n, BigInt(bps), 10_000n) - inside
    // The pool grows by each deposit: without an end, ever smaller ones would follow, each with its fees.
    return left > 0n && left * POOL_HEADROOM_PARTS < inside ? 0n : left
  }
  const headrooms: Headroom[] = []
  if (poolShareBps !== null) {
    const because = "the organization's share of its deposits is at the limit"
    headrooms.push({ amount: headroomIn(strategy.tvl, poolShareBps), because })
  }
  if (liquidityShareBps !== null && mayReportLiquidity(strategy)) {
    const because = 'the position is at the limit for what the pool does not lend out'
    headrooms.push({ amount: headroomIn(strategy.liquidity, liquidityShareBps), because })
  }
  return headrooms
}

function reasonOf({ kind, of }: ShareCap): string {
  return kind === 'strategy'
    ? "the organization's limit for it is reached"
    : `the organization's limit for ${of} is reached`
}

/** Rounded down, also below zero. */
function fromSumUnits(amount: bigint, decimals: number): bigint {
  const scale = 10n ** BigInt(SUM_DECIMALS - decimals)
  return amount >= 0n ? amount / scale : -((-amount + scale - 1n) / scale)
}

/** The tighter of two headrooms for one strategy, never negative. */
export function tighter(a: Headroom, b: Headroom | undefined): Headroom {
  const headroom = b !== undefined && b.amount < a.amount ? b : a
  return { ...headroom, amount: maxAmount(headroom.amount, 0n) }
}
