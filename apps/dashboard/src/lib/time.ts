const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

// Formats take milliseconds to make: each is made once, when a time is first shown.
let relative: Intl.RelativeTimeFormat | undefined
const exactByZone = new Map<string, Intl.DateTimeFormat>()

/** `3 min. ago`, `in 2 days`. */
export function relativeTime(iso: string, now: number): string {
  relative ??= new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' })
  const seconds = Math.round((Date.parse(iso) - now) / 1_000)
  for (const [unit, length] of UNITS) {
    if (Math.abs(seconds) >= length) return relative.format(Math.trunc(seconds / length), unit)
  }
  return Math.abs(seconds) < 10 ? 'just now' : relative.format(seconds, 'second')
}

/** The exact time in a zone, with its offset. */
export function exactTime(iso: string, zone: string): string {
  let format = exactByZone.get(zone)
  if (format === undefined) {
    const options = { dateStyle: 'medium', timeStyle: 'medium', timeZone: zone, hour12: false } as const
    format = new Intl.DateTimeFormat('en-GB', options)
    exactByZone.set(zone, format)
  }
  return `${format.format(new Date(iso))} ${zone}`
}

/** The time of what has happened: by its date where the clock of a chain is ahead of the reader's. */
export function pastTime(iso: string, now: number, zone: string): string {
  return Date.parse(iso) - now < 60_000 ? relativeTime(iso, now) : exactTime(iso, zone).split(',')[0]!
}
