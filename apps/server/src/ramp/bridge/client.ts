import { setTimeout as wait } from 'node:timers/promises'
import {
  BRIDGE_PAGE_SIZE,
  BRIDGE_PAGES_MAX,
  BRIDGE_RESPONSE_BYTES_MAX,
  BRIDGE_RETRY_DELAY_MS,
  createOutageLogs,
  Failure,
  inSpan,
  type Log,
  type OutageLogs,
  type Span,
  type SpanOptions,
} from '../../kernel/index.ts'
import { type BridgeJson, isJson, textOf } from './json-fields.ts'

interface BridgeClientOptions {
  /** Without a trailing slash. */
  readonly baseUrl: string
  readonly apiKey: string
  readonly log: Log
  /** Per call. */
  readonly timeoutMs: number
}

/** The partner's API. Every call may fail with RAMP_UNAVAILABLE, which leaves open whether it took effect. */
export interface BridgeClient {
  /** `undefined` if the object does not exist. */
  get(path: string, query?: Readonly<Record<string, string>>): Promise<BridgeJson | undefined>
  /** The same, with the time of the response by the partner's clock in milliseconds, if it says it. */
  getDated(path: string, query?: Readonly<Record<string, string>>): Promise<DatedBody | undefined>
  /** Throws a {@link BridgeApiError} if the request certainly had no effect. */
  post(path: string, body: BridgeJson, idempotencyKey: string): Promise<BridgeJson>
  /** A list, newest first, page by page. */
  pages(path: string): AsyncGenerator<readonly BridgeJson[]>
  /** The same, with the time of each response as in `getDated`. */
  datedPages(path: string): AsyncGenerator<DatedPage>
}

interface DatedPage {
  readonly page: readonly BridgeJson[]
  readonly date: number | undefined
}

interface DatedBody {
  readonly body: BridgeJson
  readonly date: number | undefined
}

/**
 * The time that a reading is at least as new as, by the partner's clock, which also orders its messages: if
 * ours were ahead, a decision after this reading would count as an older one. Less the time that the request took, because
 * the response is at least as new as that. All in milliseconds; `before` and `after` the request by our clock.
 */
export function timeOfReading(date: number | undefined, { before, after }: { before: number; after: number }): number {
  return (date ?? after) - (after - before)
}

/** The partner rejected a request. */
export class BridgeApiError extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  readonly code: string
  /** Private, so that it is not logged: it may repeat what was sent. */
  readonly #body: BridgeJson

  constructor(status: number, body: BridgeJson) {
    const code = textOf(body, 'code') ?? 'unknown'
    super(`the banking partner returned ${status} ${code}`)
    this.status = status
    this.code = code
    this.#body = body
  }

  get body(): BridgeJson {
    return this.#body
  }
}

/** A read that failed because the partner rejects it, and will again: nothing is unavailable. */
export function isRejectedRead(error: unknown): boolean {
  return error instanceof Failure && error.cause instanceof BridgeApiError && isFinal(error.cause.status)
}

const isFinal = (status: number): boolean =>
  status >= 400 && status < 500 && ![401, 403, 408, 425, 429].includes(status)

export function createBridgeClient(settings: BridgeClientOptions): BridgeClient {
  const keyRejections = createOutageLogs(settings.log, {
    away: 'the banking partner rejected the API key',
    back: 'the banking partner accepts the API key again',
    level: 'error',
  })
  const options = { ...settings, keyRejections }
  const read = (path: string, query: Readonly<Record<string, string>>) =>
    call(options, {
      method: 'GET',
      path: Object.keys(query).length > 0 ? `${path}?${new URLSearchParams(query)}` : path,
    })

  const client: BridgeClient = {
    get: async (path, query) => (await client.getDated(path, query))?.body,
    async getDated(path, query = {}) {
      try {
        return await read(path, query).catch(async (error: unknown) => {
          if (error instanceof BridgeApiError) throw error
          await wait(BRIDGE_RETRY_DELAY_MS)
          return read(path, query)
        })
      } catch (error) {
        if (error instanceof BridgeApiError && error.status === 404) return undefined
        throw error instanceof BridgeApiError ? unavailable(error) : error
      }
    },
    async post(path, sent, idempotencyKey) {
      const { body } = await call(options, {
        method: 'POST',
        path,
        headers: { 'idempotency-key': idempotencyKey, 'content-type': 'application/json' },
        body: JSON.stringify(sent),
      })
      return body
    },
    async *pages(path) {
      for await (const { page } of client.datedPages(path)) yield page
    },
    async *datedPages(path) {
      let after: string | undefined
      for (let pages = 0; pages < BRIDGE_PAGES_MAX; pages += 1) {
        const query = { limit: String(BRIDGE_PAGE_SIZE), ...(after !== undefined && { starting_after: after }) }
        const { body, date } = (await client.getDated(path, query)) ?? { body: undefined, date: undefined }
        const data = body?.data
        // The partner may send more than was requested: the rest comes with the next page.
        const page = Array.isArray(data) ? data.slice(0, BRIDGE_PAGE_SIZE).filter(isJson).map(unwrapped) : []
        if (page.length === 0) return
        yield { page, date }
        const last = textOf(page.at(-1), 'id')
        if (page.length < BRIDGE_PAGE_SIZE || last === undefined || last === after) return
        after = last
      }
      throw unavailable(new RangeError(`the list ${path} has more than ${BRIDGE_PAGES_MAX} pages`))
    },
  }
  return client
}

/** In the activity of all customers, the API reference wraps each entry in a `value`. */
function unwrapped(entry: BridgeJson): BridgeJson {
  const { id, value } = entry
  return id === undefined && isJson(value) ? value : entry
}

interface BridgeCall {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

interface CallOptions extends BridgeClientOptions {
  readonly keyRejections: OutageLogs
}

function call(options: CallOptions, request: BridgeCall): Promise<DatedBody> {
  return inSpan(
    () => spanOf(options, request),
    (span) => exchange(options, request, span),
  )
}

/** The kind of object, the first part of the path: the rest names customers. */
function spanOf({ baseUrl }: BridgeClientOptions, { method, path }: BridgeCall): SpanOptions {
  const [, resource = ''] = path.split(/[/?]/)
  return {
    name: `bridge ${method} ${resource}`,
    kind: 'client',
    attributes: { 'http.request.method': method, 'server.address': new URL(baseUrl).hostname },
  }
}

async function exchange(
  { baseUrl, apiKey, keyRejections, timeoutMs }: CallOptions,
  { method, path, headers, ...more }: BridgeCall,
  span: Span,
): Promise<DatedBody> {
  let status: number
  let text: string
  let date: number
  try {
    const response = await fetch(`${baseUrl}/v0${path}`, {
      method,
      headers: { ...headers, accept: 'application/json', 'api-key': apiKey },
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
      ...more,
    })
    status = response.status
    date = Date.parse(response.headers.get('date') ?? '')
    span.set({ 'http.response.status_code': status })
    text = await textWithin(response, BRIDGE_RESPONSE_BYTES_MAX)
  } catch (error) {
    throw unavailable(error)
  }
  reportKey(keyRejections, status)
  const body = jsonIn(text)
  if (status >= 200 && status < 300 && body) return { body, date: Number.isNaN(date) ? undefined : date }
  const rejection = new BridgeApiError(status, body ?? {})
  throw isFinal(status) ? rejection : unavailable(rejection)
}

/** Overload and defects of the partner say nothing about the key. */
function reportKey(keyRejections: OutageLogs, status: number): void {
  if (status === 401 || status === 403) keyRejections.failed({}, { status })
  else if (status < 500 && status !== 429) keyRejections.recovered({})
}

const unavailable = (cause: unknown) => new Failure('RAMP_UNAVAILABLE', { cause })

async function textWithin(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > maxBytes) throw new RangeError(`the response exceeds ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function jsonIn(text: string): BridgeJson | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isJson(value) ? value : undefined
  } catch {
    return undefined
  }
}
