/**
 * The arithmetic of earnings, without a database: computes the earnings of each day from what positions had earned in
 * total at the end of days. Amounts in base units; days as `YYYY-MM-DD`, by the chain's clock.
 */
export interface YieldReading {
  readonly allocationId: number
  readonly venueId: number
  readonly venueName: string
  readonly day: string
  /** The value of the position. */
  readonly value: bigint
  /** What it had earned since it was opened: realized and unrealized. */
  readonly cumulative: bigint
}

export interface DailyEarnings {
  readonly day: string
  readonly yieldEarned: bigint
  /** Since the start of the period. */
  readonly cumulativeYield: bigint
  /** Of all positions at the end of the day. */
  readonly positionValue: bigint
}

export interface VenueEarnings {
  readonly venueId: number
  readonly venueName: string
  readonly yieldEarned: bigint
  readonly history: readonly { readonly day: string; readonly yieldEarned: bigint }[]
}

export interface EarningsHistory {
  readonly yieldEarned: bigint
  readonly history: readonly DailyEarnings[]
  /** By venue, oldest venue first; their sums equal the totals. */
  readonly byVenue: readonly VenueEarnings[]
}

/**
 * Earnings from `firstDay` on. `readings` are in day order, and those of one position in time order. A position's last
 * reading before the period is its starting point; without one it starts at zero. A day has an entry when any position
 * was read on it. Earnings on days without a reading count on the next day with one, so the history adds up to the
 * difference of the readings, to the unit.
 */
export function computeEarnings(readings: readonly YieldReading[], firstDay: string): EarningsHistory {
  const last = new Map<number, YieldReading>()
  const days = new Map<string, { yieldEarned: bigint; positionValue: bigint }>()
  const venues = new Map<number, { venueName: string; days: Map<string, bigint> }>()
  let positionValue = 0n
  for (const reading of readings) {
    const { allocationId, venueId, venueName, day } = reading
    const before = last.get(allocationId)
    last.set(allocationId, reading)
    positionValue += reading.value - (before?.value ?? 0n)
    if (day < firstDay) continue
    const earned = reading.cumulative - (before?.cumulative ?? 0n)
    days.set(day, { yieldEarned: (days.get(day)?.yieldEarned ?? 0n) + earned, positionValue })
    const venue = venues.get(venueId) ?? { venueName, days: new Map() }
    venues.set(venueId, venue)
    venue.days.set(day, (venue.days.get(day) ?? 0n) + earned)
  }

  let cumulativeYield = 0n
  const history = [...days].map(([day, of]) => {
    cumulativeYield += of.yieldEarned
    return { day, yieldEarned: of.yieldEarned, cumulativeYield, positionValue: of.positionValue }
  })
  const byVenue = [...venues]
    .sort(([a], [b]) => a - b)
    .map(([venueId, venue]) => {
      const venueHistory = [...venue.days].map(([day, yieldEarned]) => ({ day, yieldEarned }))
      return { venueId, venueName: venue.venueName, yieldEarned: sum(venueHistory), history: venueHistory }
    })
  return { yieldEarned: cumulativeYield, history, byVenue }
}

function sum(days: readonly { yieldEarned: bigint }[]): bigint {
  return days.reduce((total, { yieldEarned }) => total + yieldEarned, 0n)
}
