import Type from 'typebox'
import { DAY_MS, validationError } from '../../../kernel/index.ts'

export const periodQuery = {
  date_from: Type.Optional(
    Type.String({
      description: 'Only transactions created at or after this day (`2026-03-01`, UTC) or time (ISO 8601).',
    }),
  ),
  date_to: Type.Optional(Type.String({ description: 'Only transactions created until this day (inclusive) or time.' })),
}

/** The period of a query; `before` is exclusive. Error: VALIDATION_ERROR. */
export function periodOf(query: { readonly date_from?: string; readonly date_to?: string }): {
  from: Date | undefined
  before: Date | undefined
} {
  const from = momentOf('date_from', query.date_from)
  const to = momentOf('date_to', query.date_to)
  return { from: from?.at, before: to && new Date(to.at.getTime() + (to.isDay ? DAY_MS : 1)) }
}

function momentOf(path: string, text: string | undefined): { at: Date; isDay: boolean } | undefined {
  if (text === undefined) return undefined
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text)
  const isTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/.test(text)
  const at = new Date(isDay ? `${text}T00:00:00Z` : text)
  if (!(isDay || isTime) || Number.isNaN(at.getTime()) || !isInCalendar(text.slice(0, 10))) {
    throw validationError(path, 'must be a day or a time in ISO 8601')
  }
  return { at, isDay }
}

/** Rejects dates such as 30 February, which JavaScript reads as 2 March. */
function isInCalendar(day: string): boolean {
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
}
