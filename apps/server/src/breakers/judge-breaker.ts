import { addMilliseconds, BREAKER_MEASURE_MAX, minAmount, mulDivDown, mulDivUp } from '../kernel/index.ts'
import type { Breaker } from './breaker.ts'
import { type BreakerSettings, isOn, thresholdOf } from './breaker-settings.ts'
import { type BreakerEvent, STOPPING } from './breaker-states.ts'

/** What is known about a strategy for one organization. */
export interface BreakerFacts {
  /** Whether the readings are recent; old ones can open a breaker and never close one. */
  readonly isFresh: boolean
  readonly price: bigint | null
  /** The highest daily price of the 30 days before. */
  readonly peak: bigint | null
  /** 1e-8 US dollars; `null`: no feed, or its price is old. */
  readonly tokenPrice: bigint | null
  /** Of all positions. */
  readonly value: bigint
  /** The part whose withdrawable amount is known, and what all of it together could pay at most. */
  readonly readValue: bigint
  readonly withdrawable: bigint
  /** Whether these amounts are recent for every position. */
  readonly isLiquidityFresh: boolean
  /** Fingerprint of the code of its contracts; `null`: not read. */
  readonly code: string | null
}

export interface Judgement {
  readonly event: BreakerEvent
  readonly measure: number | null
}

const ONE_DOLLAR = 10n ** 8n
const WHOLE = 10_000n
/** A feed can report any price, and one of them must not stop the others. */
const bounded = (measure: bigint): number => Number(minAmount(measure, BREAKER_MEASURE_MAX))

/**
 * What the facts do to a breaker; `undefined`: nothing. An unknown fact changes nothing (rule 12), except that it is not
 * fine: a breaker that recovers begins again. Pure.
 */
export function judgeBreaker(
  breaker: Breaker,
  settings: BreakerSettings,
  facts: BreakerFacts,
  now: Date,
): Judgement | undefined {
  const { state, kind, measure: before } = breaker
  if (!isOn(settings, kind)) return state === 'closed' ? undefined : { event: 'switched_off', measure: before }
  const measure = measureOf(breaker, facts)
  const verdict = verdictOn(breaker, settings, facts, measure)
  if (verdict === 'bad') {
    if (STOPPING.includes(state) && isNews(breaker, settings, facts, measure)) return { event: 'worsened', measure }
    return state === 'open' ? undefined : { event: 'tripped', measure }
  }
  // Liquidity is unknown while a new position was not read yet: that is no outage.
  if (kind === 'illiquidity' && facts.isFresh && (verdict === 'unknown' || !facts.isLiquidityFresh)) return undefined
  if (verdict === 'unknown' || !facts.isFresh)
    return state === 'recovering' ? { event: 'lost', measure: before } : undefined
  switch (breaker.state) {
    case 'open':
      return { event: 'recovered', measure }
    case 'recovering':
      return addMilliseconds(breaker.fineSince, settings.recoverySeconds * 1_000) <= now
        ? { event: 'held', measure }
        : undefined
    case 'accepted':
      return isWithin(breaker, settings, facts, measure) ? { event: 'recovered', measure } : undefined
    case 'closed':
      return undefined
  }
}

/** In hundredths of a percent; `null`: unknown, or nothing to measure. */
export function measureOf(
  { kind }: Pick<Breaker, 'kind'>,
  { price, peak, tokenPrice, value, readValue, withdrawable }: BreakerFacts,
): number | null {
  switch (kind) {
    case 'price_fall':
      if (price === null || peak === null || peak === 0n) return null
      return price >= peak ? 0 : Number(mulDivUp(peak - price, WHOLE, peak))
    case 'depeg': {
      if (tokenPrice === null) return null
      const distance = tokenPrice > ONE_DOLLAR ? tokenPrice - ONE_DOLLAR : ONE_DOLLAR - tokenPrice
      return bounded(mulDivUp(distance, WHOLE, ONE_DOLLAR))
    }
    case 'illiquidity':
      // Without a position there is nothing that could be stuck.
      if (value === 0n) return Number(WHOLE)
      return readValue === 0n ? null : bounded(mulDivDown(withdrawable, WHOLE, readValue))
    case 'upgrade':
      return null
  }
}

/** `bad` for an accepted breaker: worse than what was accepted, by as much as the threshold again. */
function verdictOn(
  breaker: Breaker,
  settings: BreakerSettings,
  facts: BreakerFacts,
  measure: number | null,
): 'bad' | 'fine' | 'unknown' {
  const { kind } = breaker
  if (kind === 'upgrade' ? facts.code === null : measure === null) return 'unknown'
  if (breaker.state !== 'accepted') return isWithin(breaker, settings, facts, measure) ? 'fine' : 'bad'
  if (kind === 'upgrade') return facts.code === breaker.acceptedCode ? 'fine' : 'bad'
  if (kind === 'illiquidity') return 'fine'
  return measure! > (breaker.acceptedMeasure ?? 0) + thresholdOf(settings, kind)! ? 'bad' : 'fine'
}

/**
 * Whether a bad fact is worse than what the breaker announced: other code, a loss or distance that grew by the threshold
 * again, or less than half of the share that could be withdrawn.
 */
function isNews(
  { kind, observed }: Breaker,
  settings: BreakerSettings,
  { code }: BreakerFacts,
  measure: number | null,
): boolean {
  if (kind === 'upgrade') return code !== (observed?.code ?? null)
  const before = observed?.measure ?? null
  if (before === null) return measure !== null
  return kind === 'illiquidity' ? measure! * 2 < before : measure! > before + thresholdOf(settings, kind)!
}

/** Whether a known fact is within the settings. */
function isWithin(
  { kind, acceptedCode }: Breaker,
  settings: BreakerSettings,
  { code }: BreakerFacts,
  measure: number | null,
): boolean {
  if (kind === 'upgrade') return acceptedCode === null || code === acceptedCode
  const threshold = thresholdOf(settings, kind)!
  return kind === 'illiquidity' ? measure! >= threshold : measure! <= threshold
}
