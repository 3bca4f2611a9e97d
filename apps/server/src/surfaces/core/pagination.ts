import Type from 'typebox'
import type { PageWindow } from '../http/index.ts'

/** The part of a list that a response contains (spec 2.1). */
export const Pagination = Type.Object(
  {
    total: Type.Integer({ description: 'Total number of matching entries.' }),
    limit: Type.Integer({ description: 'Maximum number of entries requested.' }),
    offset: Type.Integer({ description: 'Entries skipped.' }),
    hasMore: Type.Boolean({ description: 'Whether more entries follow.' }),
  },
  { $id: 'Pagination', description: 'Position of a page in a list.' },
)

/** The pagination of a page with `shown` entries. */
export function paginationOf({ limit, offset }: PageWindow, total: number, shown: number) {
  return { total, limit, offset, hasMore: offset + shown < total }
}
