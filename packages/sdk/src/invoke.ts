import type { OperationList, OperationRow } from './operation-table.ts'
import type { CallOptions } from './options.ts'
import { pageCall } from './page-call.ts'
import { type DataWithResponse, responseCall } from './response-call.ts'
import { JSON_TYPE, type OutgoingRequest, type Transport } from './transport.ts'
import { unwrapped } from './unwrapped.ts'

type Input = Record<string, unknown>

/** The service returns at most this many entries at once. */
const PAGE_SIZE = 100
/** What a page and the one before it have in common, of the largest pages. */
const OVERLAP = 10
/** Reads of a list in a row that bring nothing new, until it is no longer read with care. */
const IDLE_READS_MAX = 10

/** Calls an operation with the arguments of its method: path parameter, input, options. */
export function invoke(transport: Transport, row: OperationRow, args: readonly unknown[]): unknown {
  const rest = [...args]
  const path = row.path.replace(/\{\w+\}/, () => encodeURIComponent(String(rest.shift())))
  const input = (row.takes ? rest.shift() : undefined) as Input | undefined
  const options = (rest.shift() ?? {}) as CallOptions
  const requestWith = (given: Input | undefined): OutgoingRequest => ({
    method: row.method,
    path,
    accept: row.raw ? '*/*' : JSON_TYPE,
    query: row.takes === 'query' ? given : undefined,
    body: row.takes === 'body' ? (given ?? {}) : undefined,
    idempotent: row.idempotent ?? false,
    secrets: row.secrets,
    // A poll that waits for work: what it leases as late as that must still arrive.
    ...(typeof given?.waitMs === 'number' && { waitMs: given.waitMs }),
  })
  if (row.raw) return transport.send(requestWith(input), options)
  const read = async (given: Input | undefined) => dataOf(await transport.send(requestWith(given), options), row.path)
  if (!row.list) return responseCall(read(input))
  const { list } = row
  return pageCall({
    first: () => read(input),
    items: () => (list.by === 'offset' ? byOffset(read, list, input) : byCursor(read, list, input)),
  })
}

async function dataOf(response: Response, path: string): Promise<DataWithResponse<unknown>> {
  return {
    data: await unwrapped(response, path),
    status: response.status,
    requestId: response.headers.get('x-request-id') ?? '',
    replayed: response.headers.get('idempotency-replayed') === 'true',
    headers: response.headers,
  }
}

type Read = (input: Input | undefined) => Promise<DataWithResponse<unknown>>

const itemsOf = (data: unknown, name: string | null): unknown[] =>
  (name === null ? data : (data as Input)[name]) as unknown[]

/**
 * While it reads, new entries push older ones to a later page, where they would be seen twice, and entries that leave pull
 * others to an earlier page, where they would be missed. So each page overlaps the one before; if it does not, others may
 * have slipped past, and the page before it is read again. In the worst case that leads back to the start. Because of the
 * overlap, a few entries that move to the end of the list are not taken for it.
 */
async function* byOffset(
  read: Read,
  { items: name, key = ['id'] }: OperationList,
  input: Input = {},
): AsyncGenerator<never> {
  const identityOf = (item: unknown) => JSON.stringify(key.map((field) => (item as Input)[field]))
  const seen = new Set<string>()
  const { page, per_page, limit, ...filters } = input
  const wanted = Number(per_page ?? limit ?? PAGE_SIZE)
  const start = page === undefined ? Number(input.offset ?? 0) : (Number(page) - 1) * wanted
  // One entry is the one that was seen.
  const size = Math.max(wanted, 2)
  // A tenth of a page: more would cost too many reads of small pages.
  const overlap = Math.max(1, Math.min(OVERLAP, Math.floor(size / 10)))
  let offset = start
  // Reads in a row that brought nothing new.
  let idle = 0
  for (;;) {
    const items = itemsOf((await read({ ...filters, limit: size, offset })).data, name)
    const common = items.filter((item) => seen.has(identityOf(item))).length
    const follows = offset === start || common >= overlap
    idle += 1
    // A list whose order changes with each read would lead back and forth, one that grows with each read onward without
    // end: from here on, pages are taken as they come.
    const isStuck = idle > IDLE_READS_MAX
    if (!follows && !isStuck) {
      offset = Math.max(start, offset - size + overlap)
      continue
    }
    for (const item of items) {
      const identity = identityOf(item)
      if (seen.has(identity)) continue
      seen.add(identity)
      idle = 0
      yield item as never
    }
    if (items.length < size) return
    offset += isStuck ? items.length : items.length - overlap
  }
}

async function* byCursor(read: Read, { items: name, by }: OperationList, input: Input = {}): AsyncGenerator<never> {
  let position = input[by]
  for (;;) {
    const { data } = await read({ limit: PAGE_SIZE, ...input, [by]: position })
    yield* itemsOf(data, name) as never[]
    const { cursor, nextCursor, hasMore } = data as Input
    const next = by === 'after' ? cursor : nextCursor
    if (next === null || next === undefined || hasMore === false) return
    position = next
  }
}
