import { MONTHS } from './time.ts'

const DAY_MS = 86_400_000
const DAYS_OF_A_MONTH = 30.4375

/** How many days may lie between two labels; from a month on, labels stand at the first of months. */
export const STEPS = [1, 2, 7, 14, 31, 91, 183, 365, 1_826, 3_653]

/** Days since 1970 of a day of UTC. Points of days have numbers, so that no zone of a browser can move one. */
export const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`) / DAY_MS

interface Day {
  readonly day: string
  readonly value: string
}

/** The points of days in their order, and a zero for each day between them that has none. */
export function everyDay(points: readonly Day[]): Day[] {
  return points.flatMap((point, at) => {
    const before = points[at - 1]
    const first = before === undefined ? dayNumber(point.day) : dayNumber(before.day) + 1
    const zeros = Array.from({ length: dayNumber(point.day) - first }, (_, index) => ({
      day: new Date((first + index) * DAY_MS).toISOString().slice(0, 10),
      value: '0.00',
    }))
    return [...zeros, point]
  })
}

/** The days to label from the first to the last one, which lie one of the {@link STEPS} apart. */
export function ticksOf(first: number, last: number, step: number): number[] {
  const from = Math.ceil(first)
  const ticks: number[] = []
  if (step < DAYS_OF_A_MONTH) {
    for (let day = from; day <= last; day += step) ticks.push(day)
    return ticks
  }
  const months = Math.round(step / DAYS_OF_A_MONTH)
  const begin = new Date(from * DAY_MS)
  const month = begin.getUTCFullYear() * 12 + begin.getUTCMonth()
  for (let next = month - (month % months); ; next += months) {
    const day = Date.UTC(Math.floor(next / 12), next % 12, 1) / DAY_MS
    if (day > last) return ticks
    if (day >= from) ticks.push(day)
  }
}

/** `1 Nov`; with the year below it at the first one, and where a year begins. */
export function labelsOf(ticks: readonly number[]): string[] {
  let year: number | undefined
  return ticks.map((tick) => {
    const at = new Date(tick * DAY_MS)
    const label = `${at.getUTCDate()} ${MONTHS[at.getUTCMonth()]}`
    if (at.getUTCFullYear() === year) return label
    year = at.getUTCFullYear()
    return `${label}\n${year}`
  })
}
