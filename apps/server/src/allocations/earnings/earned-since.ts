/** What a position had earned since it was opened, realized and unrealized, at a moment of the chain's clock. Base units. */
export interface CumulativeYield {
  readonly at: Date
  readonly cumulative: bigint
}

/**
 * What was earned after a moment, up to the last reading. Readings come in the order of time, the first one tells when
 * the position was opened. Between two of them yield counts in proportion to time, as it accrues: so the last 24 hours
 * are a whole day's yield at any hour, although snapshots are taken at the ends of days.
 */
export function earnedSince(readings: readonly CumulativeYield[], since: Date): bigint {
  const last = readings.at(-1)
  return last === undefined ? 0n : last.cumulative - cumulativeAt(readings, since)
}

function cumulativeAt(readings: readonly CumulativeYield[], moment: Date): bigint {
  const next = readings.findIndex(({ at }) => at > moment)
  if (next === -1) return readings.at(-1)!.cumulative
  const [before, after] = [readings[next - 1], readings[next]!]
  if (before === undefined) return after.cumulative
  const passed = BigInt(moment.getTime() - before.at.getTime())
  const between = BigInt(after.at.getTime() - before.at.getTime())
  return before.cumulative + ((after.cumulative - before.cumulative) * passed) / between
}
