const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' })

/** `3 min. ago`, `in 2 days`. */
export function relativeTime(iso: string, now: number): string {
  const seconds = Math.round((Date.parse(iso) - now) / 1_000)
  for (const [unit, length] of UNITS) {
    if (Math.abs(seconds) >= length) return relative.format(Math.trunc(seconds / length), unit)
  }
  return Math.abs(seconds) < 10 ? 'just now' : relative.format(seconds, 'second')
}

/** The exact time in a zone, with its offset. */
export function exactTime(iso: string, zone: string): string {
  const options: Intl.DateTimeFormatOptions = {
    dateStyle: 'medium',
    timeStyle: 'medium',
    timeZone: zone,
    hour12: false,
  } as Intl.DateTimeFormatOptions
  return `${new Intl.DateTimeFormat('en-GB', options).format(new Date(iso))} ${zone}`
}
