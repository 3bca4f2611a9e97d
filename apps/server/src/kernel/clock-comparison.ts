import type { Clock } from './clock.ts'
import { CLOCK_DIFFERENCE_MAX_MS } from './limits.ts'
import type { Log } from './log.ts'
import { createOutageLog } from './outage-log.ts'

/** How far a clock is ahead of another one, in milliseconds: something between the two. Negative: behind. */
export interface ClockDifference {
  readonly minMs: number
  readonly maxMs: number
}

/**
 * What a response with another clock's time says about the own clock. The other clock was read at some time between the
 * request and the response, by the own clock: a slow network makes the difference less certain, never larger.
 */
export function clockDifference(sent: number, received: number, theirs: Date): ClockDifference {
  return { minMs: sent - theirs.getTime(), maxMs: received - theirs.getTime() }
}

/** The difference that is certain: the one nearest to none. */
export function certainDifferenceMs({ minMs, maxMs }: ClockDifference): number {
  if (minMs > 0) return minMs
  return maxMs < 0 ? maxMs : 0
}

/** Compares the clock of this process with the database's, whose time others live by too. */
export interface ClockComparison extends Clock {
  /** The database said this between `sentMs`, by the monotonic clock, and now. */
  heard(theirs: Date, sentMs: number): void
  /** How far this process's clock is certainly ahead; negative: behind; undefined: nothing was heard yet. */
  differenceMs(): number | undefined
  /** Whether they differ by at most {@link CLOCK_DIFFERENCE_MAX_MS}, as far as is known. */
  agrees(): boolean
  /** The time of this process's clock; while the two do not agree, the database's. */
  now(): Date
}

export interface ClockComparisonOptions {
  /** The real clock of this process. */
  readonly clock: Clock
  readonly log: Pick<Log, 'error' | 'info' | 'warn'>
  /** A clock that nobody sets; the one of the process except in tests. */
  readonly monotonicMs?: () => number
}

export function createClockComparison({
  clock,
  log,
  monotonicMs = () => performance.now(),
}: ClockComparisonOptions): ClockComparison {
  const outage = createOutageLog(log, {
    away: 'the clocks of this process and of the database differ: this process ends nothing because of the time',
    back: 'the clocks of this process and of the database agree again',
  })
  /** How far the own clock was ahead of the monotonic one. */
  const offsetMs = () => clock.now().getTime() - monotonicMs()
  let known: (ClockDifference & { readonly offsetMs: number }) | undefined
  let agreed = true

  /** What was heard last, moved by what was done to the own clock since: a step counts at once. */
  function current(): ClockDifference | undefined {
    if (!known) return undefined
    const moved = offsetMs() - known.offsetMs
    return { minMs: known.minMs + moved, maxMs: known.maxMs + moved }
  }

  function agrees(): boolean {
    const found = current()
    if (!found) return true
    if (Math.abs(certainDifferenceMs(found)) > CLOCK_DIFFERENCE_MAX_MS) return false
    // A response that took long does not end a difference that a faster one showed.
    const isCertain = Math.max(Math.abs(found.minMs), Math.abs(found.maxMs)) <= CLOCK_DIFFERENCE_MAX_MS
    return isCertain || agreed
  }

  const differenceMs = () => {
    const found = current()
    return found && certainDifferenceMs(found)
  }

  return {
    heard(theirs, sentMs) {
      const received = clock.now().getTime()
      const heard = clockDifference(received - (monotonicMs() - sentMs), received, theirs)
      const before = current() ?? heard
      const both = { minMs: Math.max(before.minMs, heard.minMs), maxMs: Math.min(before.maxMs, heard.maxMs) }
      // They contradict each other after a step of the database's clock, or once the clocks have drifted apart.
      known = { ...(both.minMs <= both.maxMs ? both : heard), offsetMs: offsetMs() }
      agreed = agrees()
      const facts = { aheadSeconds: Math.round(differenceMs()! / 1_000) }
      if (agreed) outage.recovered(facts)
      else outage.failed(facts)
    },
    differenceMs,
    agrees,
    now: () => (agrees() ? clock.now() : new Date(clock.now().getTime() - differenceMs()!)),
  }
}
