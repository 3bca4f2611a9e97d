import Type from 'typebox'
import type { PageWindow } from '../http/index.ts'

/** Which part of a list an answer is (spec 2.1). */
export const Pagination = Type.Object(
  {
    total: Type.Integer({ description: 'How many entries match.' }),
    limit: Type.Integer({ description: 'Entries asked for.' }),
    offset: Type.Integer({ description: 'Entries skipped.' }),
    hasMore: Type.Boolean({ description: 'Whether there are more behind these.' }),
  },
  { $id: 'Pagination', description: 'Which part of a list this is.' },
)

/** The part that `shown` entries of a window are. */
export function paginationOf({ limit, offset }: PageWindow, total: number, shown: number) {
  return { total, limit, offset, hasMore: offset + shown < total }
}
