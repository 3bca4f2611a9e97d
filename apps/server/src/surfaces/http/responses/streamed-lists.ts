import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest, RouteHandlerMethod, RouteOptions } from 'fastify'
import {
  Failure,
  LIST_LIMIT_MAX,
  STREAMED_LIST_RETRY_SECONDS,
  STREAMED_LISTS_MAX,
  STREAMED_LISTS_PER_CREDENTIAL_MAX,
} from '../../../kernel/index.ts'
import { OpenResponses } from './open-responses.ts'
import { pagesByOffset } from './pages-by-offset.ts'

/** What a request sends in `Accept` to get every page of a list in one response. */
export const STREAMED_LIST = 'application/x-ndjson'

type Fields = Readonly<Record<string, unknown>>
type Paging = 'offset' | 'id' | 'before' | 'after' | 'cursor'
interface PageOfList {
  readonly limit: number
  readonly offset?: number
  readonly before?: number
  readonly after?: number
  readonly cursor?: string
}
const limit = LIST_LIMIT_MAX

/**
 * Lets the routes of lists stream: with `Accept: application/x-ndjson` the response has each page as a line, in the shape
 * of a single page, from the first to the last. It counts as one request, and an organization reads
 * {@link STREAMED_LISTS_MAX} lists at once, one credential half of them. The process holds one page of each: the next is
 * read when the caller has taken the one before. A credential that is revoked meanwhile ends the response before its end,
 * as every failure does.
 */
export class StreamedLists {
  readonly #open = new OpenResponses({
    perOrganization: STREAMED_LISTS_MAX,
    perCredential: STREAMED_LISTS_PER_CREDENTIAL_MAX,
  })

  /** At the registration of a route. */
  add(route: RouteOptions): void {
    const query = (route.schema?.querystring as { properties?: Fields } | undefined)?.properties ?? {}
    if (route.method !== 'GET' || !('limit' in query)) return
    const handler = route.handler as RouteHandlerMethod
    const streams = this.#stream.bind(this, handler, pagingOf(query))
    route.handler = function read(request, reply) {
      return asksForAll(request) ? streams(request, reply) : handler.call(this, request, reply)
    }
  }

  async #stream(
    handler: RouteHandlerMethod,
    paging: Paging,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    this.#take(request, reply)
    // In place of the page that was asked for, in the words of any list.
    const { page: _number, per_page: _size, ...filters } = request.query as Fields
    const read = async (page: PageOfList) => {
      request.query = { ...filters, ...page }
      return (await handler.call(request.server, request, reply)) as Fields
    }
    const serialize = serializerOf(reply)
    let isFirst = true
    const readIfAllowed = async (page: PageOfList) => {
      if (!isFirst) {
        if (request.stopping.aborted) throw new Failure('NOT_READY')
        await request.authenticateAgain()
      }
      isFirst = false
      return read(page)
    }
    const of = 'after' in filters && paging === 'before' ? 'after' : paging
    const pages = of === 'offset' ? pagesByOffset(readIfAllowed) : pagesOnward(readIfAllowed, of)
    // A refusal of the first page is an ordinary error.
    const first = await pages.next()
    async function* lines() {
      if (!first.done) yield `${serialize(first.value)}\n`
      for await (const page of pages) yield `${serialize(page)}\n`
    }
    return reply.type(`${STREAMED_LIST}; charset=utf-8`).send(Readable.from(lines(), { objectMode: false }))
  }

  #take({ credential }: FastifyRequest, reply: FastifyReply): void {
    if (this.#open.take(credential, reply) === undefined) return
    reply.header('Retry-After', STREAMED_LIST_RETRY_SECONDS)
    throw new Failure('RATE_LIMIT_EXCEEDED', { details: { retryAfterSeconds: STREAMED_LIST_RETRY_SECONDS } })
  }
}

/** That of the route's own responses: of JSON, where it also has others. */
function serializerOf(reply: FastifyReply): (page: object) => string {
  const serialize =
    reply.getSerializationFunction('200', 'application/json') ?? reply.getSerializationFunction('200') ?? JSON.stringify
  return serialize as (page: object) => string
}

/** Events are also a stream that stays open, which has its own form. */
function asksForAll({ headers: { accept = '' }, presented }: FastifyRequest): boolean {
  return presented !== undefined && accept.includes(STREAMED_LIST) && !accept.includes('text/event-stream')
}

/** Lists of events have a cursor; of the others, long ones are read by id, which costs the same however deep a page is. */
function pagingOf(query: Fields): Paging {
  if ('offset' in query) return 'before' in query ? 'id' : 'offset'
  if ('cursor' in query) return 'cursor'
  return 'before' in query ? 'before' : 'after'
}

/** Pages of a list that has a place to continue from, which rows that come or go do not move. */
async function* pagesOnward(
  read: (page: PageOfList) => Promise<Fields>,
  paging: Exclude<Paging, 'offset'>,
): AsyncGenerator<Fields> {
  for (let page: PageOfList | undefined = firstPage(paging); page !== undefined; ) {
    const body = await read(page)
    yield body
    page = nextPage(body, paging)
  }
}

function firstPage(paging: Exclude<Paging, 'offset'>): PageOfList {
  if (paging === 'id') return { limit, offset: 0, before: Number.MAX_SAFE_INTEGER }
  // With 0, the newest events come first.
  return paging === 'before' ? { limit, before: 0 } : { limit }
}

/** The page after this one; undefined at the end of the list. */
function nextPage(body: Fields, paging: Exclude<Paging, 'offset'>): PageOfList | undefined {
  const data = (body.success === true ? body.data : body) as Fields
  if (paging === 'cursor') return typeof data.nextCursor === 'string' ? { limit, cursor: data.nextCursor } : undefined
  if (paging === 'before' || paging === 'after')
    return data.hasMore === true && typeof data.cursor === 'number' ? { limit, [paging]: data.cursor } : undefined
  const rows = (Array.isArray(data) ? data : Object.values(data).find(Array.isArray)) as readonly Fields[] | undefined
  if (rows === undefined || rows.length < limit) return undefined
  return { limit, offset: 0, before: rows.at(-1)!.id as number }
}
