import Type from 'typebox'
import { validationError } from '../../../kernel/index.ts'

export const periodQuery = {
  date_from: Type.Optional(
    Type.String({ description: 'A day (`2026-03-01`, UTC) or a moment (ISO 8601): begun then or later.' }),
  ),
  date_to: Type.Optional(Type.String({ description: 'A day or a moment: begun until then, that day included.' })),
}

const A_DAY_MS = 86_400_000

/** The moments that a request means, the last one excluded. Error: VALIDATION_ERROR. */
export function periodOf(query: { readonly date_from?: string; readonly date_to?: string }): {
  from: Date | undefined
  before: Date | undefined
} {
  const from = momentOf('date_from', query.date_from)
  const to = momentOf('date_to', query.date_to)
  return { from: from?.at, before: to && new Date(to.at.getTime() + (to.isDay ? A_DAY_MS : 1)) }
}

function momentOf(path: string, text: string | undefined): { at: Date; isDay: boolean } | undefined {
  if (text === undefined) return undefined
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text)
  const isMoment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/.test(text)
  const at = new Date(isDay ? `${text}T00:00:00Z` : text)
  if (!(isDay || isMoment) || Number.isNaN(at.getTime()) || !isInCalendar(text.slice(0, 10))) {
    throw validationError(path, 'must be a day or a moment in ISO 8601')
  }
  return { at, isDay }
}

/** JavaScript takes the 30th of February for the 2nd of March. */
function isInCalendar(day: string): boolean {
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
}
