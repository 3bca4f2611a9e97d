const DAY_MS = 86_400_000
/** Before any ledger: a partly typed year. */
export const FIRST_DAY = '2020-01-01'

/** The last day that is over, in UTC. */
export const lastDay = (now = Date.now()): string => new Date(now - DAY_MS).toISOString().slice(0, 10)

/** The day of now, in UTC. */
export const today = (now = Date.now()): string => new Date(now).toISOString().slice(0, 10)

/** The day of an address, if it is no later than `latest`; by default one that is over. */
export function dayOf(text: string | number | undefined, latest = lastDay()): string | undefined {
  if (typeof text !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(text) || text < FIRST_DAY || text > latest) return
  const time = Date.parse(text)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text) ? text : undefined
}

/** Why a complete day of an address or a field is not taken; undefined while somebody types. */
export function problemOfDay(text: string | number | undefined, latest = lastDay()): string | undefined {
  if (typeof text !== 'string' || !/^[1-9]\d{3}-\d{2}-\d{2}$/.test(text) || Number.isNaN(Date.parse(text))) return
  if (text > latest) return `The last day is ${latest}`
  return text < FIRST_DAY ? `The first day is ${FIRST_DAY}` : undefined
}

/** The first moment of a day. */
export const beginningOf = (day: string): string => new Date(Date.parse(day)).toISOString()

/** The end of a day: the midnight after it, which is no longer part of it. */
export const endOf = (day: string): string => new Date(Date.parse(day) + DAY_MS).toISOString()

let long: Intl.DateTimeFormat | undefined

/** The day that ends at this moment: as `2026-10-31`, and as text. */
export function dayEndingAt(end: string): { readonly day: string; readonly text: string } {
  long ??= new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
  const last = new Date(Date.parse(end) - 1)
  return { day: last.toISOString().slice(0, 10), text: long.format(last) }
}
