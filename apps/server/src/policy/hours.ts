import { POLICY_CLOCKS_CACHED_MAX } from '../kernel/index.ts'
import type { OutsideHours, PolicyDay } from './policy.ts'

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const DAY_MINUTES = 24 * 60

/** Sunday is 0. `undefined` when it names no day. */
export function weekdayOf(day: PolicyDay): number | undefined {
  if (typeof day === 'number') return Number.isInteger(day) && day >= 0 && day <= 7 ? day % 7 : undefined
  const name = day.toLowerCase()
  const index = WEEKDAYS.findIndex((weekday) => weekday === name || weekday.slice(0, 3) === name)
  return index < 0 ? undefined : index
}

/** `HH:MM` from `00:00` to `24:00` in minutes after midnight; `undefined` when malformed. */
export function minutesOf(time: string): number | undefined {
  const match = /^([01][0-9]|2[0-4]):([0-5][0-9])$/.exec(time)
  const minutes = match ? Number(match[1]) * 60 + Number(match[2]) : Number.NaN
  return minutes <= DAY_MINUTES ? minutes : undefined
}

/** Whether this is an IANA time zone name. Offsets such as `+02:00` are not: they have no summer time. */
export function isTimezone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    clockOf(name)
    return true
  } catch {
    // The runtime throws RangeError for an unknown zone.
    return false
  }
}

/**
 * Whether an instant is outside the hours, by the wall clock of the zone: when clocks go forward, the missing hour
 * never occurs; when they go back, the repeated hour counts both times. Hours over midnight belong to the day on which
 * they begin; `from` equal to `to` means 24 hours from there. `undefined` for unreadable hours.
 */
export function isOutsideHours(hours: OutsideHours, at: Date): boolean | undefined {
  const from = minutesOf(hours.from)
  const to = minutesOf(hours.to)
  const days = hours.days.map(weekdayOf)
  if (from === undefined || to === undefined || days.includes(undefined) || !isTimezone(hours.timezone))
    return undefined
  const { weekday, minutes } = readClock(hours.timezone, at)
  const begins = (day: number) => days.includes((day + 7) % 7)
  if (from < to) return !(begins(weekday) && minutes >= from && minutes < to)
  return !((begins(weekday) && minutes >= from) || (begins(weekday - 1) && minutes < to))
}

function readClock(timezone: string, at: Date): { weekday: number; minutes: number } {
  const parts = Object.fromEntries(
    clockOf(timezone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  )
  const weekday = weekdayOf(parts.weekday ?? '') ?? Number.NaN
  return { weekday, minutes: Number(parts.hour) * 60 + Number(parts.minute) }
}

/** Creating a formatter takes a hundred times as long as using it, and there are few zones. */
const clocks = new Map<string, Intl.DateTimeFormat>()

/** Throws RangeError for a zone that the runtime does not know. */
function clockOf(timeZone: string): Intl.DateTimeFormat {
  const cached = clocks.get(timeZone)
  if (cached) return cached
  const clock = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'long',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  if (clocks.size >= POLICY_CLOCKS_CACHED_MAX) clocks.clear()
  clocks.set(timeZone, clock)
  return clock
}
