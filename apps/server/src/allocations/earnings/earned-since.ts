/**
 * Total yield of a position since it was opened, realized and unrealized, at a moment of the chain's clock. Base units.
 */
export interface CumulativeYield {
  readonly at: Date
  readonly cumulative: bigint
}

/**
 * What was earned from a moment to the last reading. Readings are in time order; the first one marks when the position
 * was opened. Between two readings, yield counts in proportion to time, as it accrues. So the last 24 hours are a whole
 * day's yield at any hour, although snapshots are taken at the end of days.
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
