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

interface BeforeWindow extends PageWindow {
  readonly before?: number | undefined
}

/**
 * A page that may be read by `before`. Then the offset does not say whether entries follow, and one more entry is read.
 */
export async function readPage<T, R extends { readonly total: number }>(
  { limit, offset, before }: BeforeWindow,
  read: (window: BeforeWindow) => Promise<R>,
  entriesOf: (page: R) => readonly T[],
): Promise<{ readonly page: R; readonly items: readonly T[]; readonly hasMore: boolean }> {
  const page = await read({ limit: before === undefined ? limit : limit + 1, offset, before })
  const entries = entriesOf(page)
  const hasMore = before === undefined ? offset + entries.length < page.total : entries.length > limit
  return { page, items: entries.slice(0, limit), hasMore }
}

/** The pagination of a page with `shown` entries. */
export function paginationOf({ limit, offset }: PageWindow, total: number, shown: number) {
  return { total, limit, offset, hasMore: offset + shown < total }
}
