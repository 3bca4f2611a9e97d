import Type from 'typebox'
import { DAY_MS } from '../../../kernel/index.ts'
import { parseDayOrTime } from '../../http/index.ts'

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
  const from = query.date_from === undefined ? undefined : parseDayOrTime('date_from', query.date_from)
  const to = query.date_to === undefined ? undefined : parseDayOrTime('date_to', query.date_to)
  return { from: from?.at, before: to && new Date(to.at.getTime() + (to.isDay ? DAY_MS : 1)) }
}
