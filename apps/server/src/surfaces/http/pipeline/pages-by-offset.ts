import type { FastifyReply } from 'fastify'
import { Failure, LIST_LIMIT_MAX, READS_OF_A_PAGE_MAX, REMEMBERED_ROWS_MAX } from '../../../kernel/index.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * Reads a list page by page by offset, and misses no row that stays in it. Rows that leave before the offset pull those
 * behind it forward: where the total fell since the page before, the page is read again by as much earlier, and what was
 * sent is left out. Rows that are added can only repeat others, which is left out too.
 */
export async function* pagesByOffset(
  read: (page: { limit: number; offset: number }) => Promise<Fields>,
  reply: FastifyReply,
): AsyncGenerator<Fields> {
  let sent: readonly unknown[] = []
  let known = 0
  for (let offset = 0, reads = 1; ; ) {
    const body = await read({ limit: LIST_LIMIT_MAX, offset })
    const { rows, replaced } = rowsOf(body)
    const total = totalOf(body, reply) ?? known
    const left = Math.min(offset, Math.max(0, known - total))
    known = total
    if (left > 0) {
      reads += 1
      if (reads > READS_OF_A_PAGE_MAX) throw new Failure('NOT_READY')
      offset -= left
      continue
    }
    const recent = new Set(sent)
    yield replaced(rows.filter(({ id }) => id === undefined || !recent.has(id)))
    if (rows.length < LIST_LIMIT_MAX) return
    sent = [...sent, ...rows.map(({ id }) => id)].slice(-REMEMBERED_ROWS_MAX)
    offset += rows.length
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

function totalOf(body: Fields, reply: FastifyReply): number | undefined {
  const data = (body.success === true ? body.data : body) as { total?: number; pagination?: { total?: number } }
  const header = reply.getHeader('X-Total-Count')
  return data.total ?? data.pagination?.total ?? (header === undefined ? undefined : Number(header))
}
