import { Failure, LIST_LIMIT_MAX, READS_OF_A_PAGE_MAX, REMEMBERED_ROWS_MAX } from '../../../kernel/index.ts'

type Fields = Readonly<Record<string, unknown>>

/** What a page and the one before it have in common. */
const OVERLAP = 10

/**
 * Reads a list page by page by offset, and misses no row that stays in it. Rows that leave before the offset pull those
 * behind it forward, so each page overlaps the one before; if it does not, others may have slipped past, and the page
 * before it is read again. Because of the overlap, fewer than {@link OVERLAP} rows that move to the end of the list are not
 * taken for it. Rows that were sent are left out. A list whose rows move faster than it is read is broken off: NOT_READY.
 */
export async function* pagesByOffset(
  read: (page: { limit: number; offset: number }) => Promise<Fields>,
): AsyncGenerator<Fields> {
  let sent: readonly unknown[] = []
  for (let offset = 0, reads = 1; ; ) {
    const body = await read({ limit: LIST_LIMIT_MAX, offset })
    const { rows, replaced } = rowsOf(body)
    const recent = new Set(sent)
    const fresh = rows.filter(({ id }) => id === undefined || !recent.has(id))
    const hasIds = rows.every(({ id }) => id !== undefined)
    const follows = offset === 0 || (rows.length > 0 && !hasIds) || rows.length - fresh.length >= OVERLAP
    if (!follows) {
      reads += 1
      if (reads > READS_OF_A_PAGE_MAX) throw new Failure('NOT_READY')
      offset = Math.max(0, offset - LIST_LIMIT_MAX + OVERLAP)
      continue
    }
    yield replaced(fresh)
    if (rows.length < LIST_LIMIT_MAX) return
    sent = [...sent, ...fresh.map(({ id }) => id)].slice(-REMEMBERED_ROWS_MAX)
    offset += hasIds ? rows.length - OVERLAP : rows.length
    reads = 1
  }
}

/** The rows of a page, and the page with others in their place. */
function rowsOf(body: Fields): { rows: readonly Fields[]; replaced: (rows: readonly Fields[]) => Fields } {
  const isWrapped = body.success === true
  const data = (isWrapped ? body.data : body) as Fields | readonly Fields[]
  const wrap = (inner: unknown) => (isWrapped ? { ...body, data: inner } : inner) as Fields
  if (Array.isArray(data)) return { rows: data, replaced: (rows) => wrap(rows) }
  const [name, rows] = Object.entries(data).find(([, value]) => Array.isArray(value)) ?? []
  if (name === undefined) return { rows: [], replaced: () => body }
  return { rows: rows as readonly Fields[], replaced: (others) => wrap({ ...data, [name]: others }) }
}
