const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** One, several, and where English has words for them, the last and the next. */
const WORDS: Readonly<Record<(typeof UNITS)[number][0], readonly [string, string, string?, string?]>> = {
  year: ['yr.', 'yr.', 'last yr.', 'next yr.'],
  month: ['mo.', 'mo.', 'last mo.', 'next mo.'],
  day: ['day', 'days', 'yesterday', 'tomorrow'],
  hour: ['hr.', 'hr.'],
  minute: ['min.', 'min.'],
  second: ['sec.', 'sec.'],
}
export const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sept', 'Oct', 'Nov', 'Dec']

// The first use of Intl holds up a phone for longer than any part of a page, so times that every page shows do without.
const exactByZone = new Map<string, Intl.DateTimeFormat>()
let intlZone: string | undefined

/** The zone of the browser. */
export function ownZone(): string {
  const { Temporal } = globalThis as { Temporal?: { readonly Now: { timeZoneId(): string } } }
  if (Temporal !== undefined) return Temporal.Now.timeZoneId()
  intlZone ??= Intl.DateTimeFormat().resolvedOptions().timeZone
  return intlZone
}

/** `3 min. ago`, `in 2 days`. */
export function relativeTime(iso: string, now: number): string {
  const seconds = Math.round((Date.parse(iso) - now) / 1_000)
  const distance = Math.abs(seconds)
  if (distance < 10) return 'just now'
  const [unit, length] = UNITS.find(([, each]) => distance >= each)!
  const count = Math.trunc(distance / length)
  const [one, many, before, after] = WORDS[unit]
  if (count === 1 && before !== undefined && after !== undefined) return seconds < 0 ? before : after
  const text = `${count} ${count === 1 ? one : many}`
  return seconds < 0 ? `${text} ago` : `in ${text}`
}

/** The exact time in a zone, with its offset. */
export function exactTime(iso: string, zone: string): string {
  const at = new Date(iso)
  if (zone === 'UTC') return `${written(at)} UTC`
  if (zone === ownZone()) return `${written(new Date(at.getTime() - at.getTimezoneOffset() * 60_000))} ${zone}`
  let format = exactByZone.get(zone)
  if (format === undefined) {
    const options = { dateStyle: 'medium', timeStyle: 'medium', timeZone: zone, hour12: false } as const
    format = new Intl.DateTimeFormat('en-GB', options)
    exactByZone.set(zone, format)
  }
  return `${format.format(at)} ${zone}`
}

/** The date and the time of UTC, as that format writes them. */
function written(at: Date): string {
  const [date = '', time] = at.toISOString().split(/[T.]/)
  const [year, month, day] = date.split('-')
  return `${Number(day)} ${MONTHS[Number(month) - 1]} ${year}, ${time}`
}

/** The time of what has happened: by its date where the clock of a chain is ahead of the reader's. */
export function pastTime(iso: string, now: number, zone: string): string {
  return Date.parse(iso) - now < 60_000 ? relativeTime(iso, now) : exactTime(iso, zone).split(',')[0]!
}
