import { validationError } from '../../../kernel/index.ts'

/** A day (its first moment, UTC) or a time of a query. */
interface DayOrTime {
  readonly at: Date
  readonly isDay: boolean
}

/** Parses `2026-03-01` or a time of ISO 8601 with its offset. Error: VALIDATION_ERROR at `path`. */
export function parseDayOrTime(path: string, text: string): DayOrTime {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text)
  const isTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/.test(text)
  const at = new Date(isDay ? `${text}T00:00:00Z` : text)
  if (!(isDay || isTime) || !isInCalendar(text.slice(0, 10)) || !hasYearOfFourDigits(at))
    throw validationError(path, 'must be a day or a time in ISO 8601')
  return { at, isDay }
}

/** Refuses days such as 30 February, which JavaScript reads as 2 March. */
function isInCalendar(day: string): boolean {
  const time = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(day)
}

/** An offset can lead out of the years that ISO 8601 writes with four digits. */
function hasYearOfFourDigits(at: Date): boolean {
  return !Number.isNaN(at.getTime()) && /^\d{4}-/.test(at.toISOString())
}
