import { RPC_RESPONSE_BYTES_MAX, RPC_RESPONSE_UNREAD_BYTES_MAX } from '../../kernel/index.ts'
import { readableText } from '../port/readable-text.ts'
import { type BatchVerdict, judgeAnswer, judgeIncomplete } from './batch-refusal.ts'
import { jsonBounds } from './json-bounds.ts'

export interface RpcRequest {
  readonly method: string
  readonly params: readonly unknown[]
}

/** A node's error. `data` holds the revert data of a call that reverted. */
export interface RpcError {
  readonly code: number
  readonly message: string
  readonly data: unknown
}

export type RpcResponse =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly error: RpcError }

/** Sends one HTTP request; the development chains' faults wrap it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/**
 * No usable response. `refused`: no connection was made, so the request certainly never reached the node; `lost`: the
 * connection broke during the request; `timeout`; `limited`: too many requests; `wrong_chain`; `bad`: everything else.
 */
export type EndpointErrorKind = 'refused' | 'lost' | 'timeout' | 'limited' | 'wrong_chain' | 'bad'

export class EndpointError extends Error {
  override readonly name = 'EndpointError'
  readonly kind: EndpointErrorKind

  constructor(message: string, kind: EndpointErrorKind = 'bad') {
    super(message)
    this.kind = kind
  }
}

/** The answer refuses the batch as a whole: the endpoint may take its calls in smaller ones. */
export class BatchRefused extends EndpointError {}

/** One URL of a node. */
export interface Endpoint {
  /** Host and port: a URL often contains a provider's secret, so nothing else of it is ever logged. */
  readonly name: string
  /** Sends all requests in one HTTP request; responses in request order. Throws {@link EndpointError}. */
  send(requests: readonly RpcRequest[], timeoutMs: number): Promise<RpcResponse[]>
}

const CONNECTION_REFUSED_CODES = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])
const CONNECTION_LOST_CODES = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

/**
 * An endpoint at a URL, which may contain a user and password.
 *
 * Responses are matched to requests by id. viem's own batching is not used: it matches by position, and it joins the
 * calls of all clients of one URL, so that a fault or a count of one adapter would affect another.
 */
export function createEndpoint(parts: { url: string; fetch: Fetch; onRequest?: (name: string) => void }): Endpoint {
  const url = new URL(parts.url)
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (url.username !== '' || url.password !== '') {
    const credentials = `${unescaped(url.username)}:${unescaped(url.password)}`
    headers.authorization = `Basic ${Buffer.from(credentials).toString('base64')}`
    url.username = ''
    url.password = ''
  }
  const name = url.host

  async function exchange(body: string, timeoutMs: number): Promise<unknown[]> {
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      const response = await parts.fetch(url.href, { method: 'POST', headers, body, signal, redirect: 'manual' })
      // A redirect could lead to plain http, or into the operator's network.
      if (response.status >= 300 && response.status < 400) {
        await response.body?.cancel()
        throw new EndpointError(`${name} returned HTTP ${response.status}, a redirect, which is not followed`)
      }
      const text = await readText(response)
      // Some nodes report a failed call with a 4xx or 5xx and a proper JSON-RPC body; that is a valid response.
      const answer = parseJson(text)
      if (Array.isArray(answer)) return answer
      const verdict = judgeAnswer(response.status, answer, text)
      const isObject = answer !== undefined && response.ok
      if (isObject && verdict === 'limited') throw new EndpointError(`${name} reports too many requests`, verdict)
      const reason = isObject ? 'a single object for a batch' : `HTTP ${response.status} without a JSON-RPC body`
      throw failure(verdict, `${name} returned ${reason}`)
    } catch (error) {
      if (error instanceof EndpointError) throw error
      if (signal.aborted) throw new EndpointError(`${name} did not respond within ${timeoutMs} ms`, 'timeout')
      const code = systemCode(error)
      const kind = CONNECTION_REFUSED_CODES.has(code) ? 'refused' : CONNECTION_LOST_CODES.has(code) ? 'lost' : 'bad'
      throw new EndpointError(`${name}: ${code || String(error instanceof Error ? error.message : error)}`, kind)
    }
  }

  return {
    name,
    async send(requests, timeoutMs) {
      parts.onRequest?.(name)
      const body = requests.map((request, id) => ({ jsonrpc: '2.0', id, ...request }))
      return matchResponses(name, await exchange(JSON.stringify(body), timeoutMs), requests.length)
    },
  }
}

function matchResponses(name: string, responses: readonly unknown[], count: number): RpcResponse[] {
  const byId = new Map<unknown, RpcResponse>()
  for (const item of responses) {
    if (typeof item !== 'object' || item === null) throw new EndpointError(`${name} returned a batch of other things`)
    const { id, result, error } = item as { id?: unknown; result?: unknown; error?: Partial<RpcError> }
    if (error) byId.set(id, { ok: false, error: errorFrom(error) })
    else if (result !== undefined) byId.set(id, { ok: true, result })
  }
  return Array.from({ length: count }, (_, id) => {
    const found = byId.get(id)
    if (!found) throw failure(judgeIncomplete(responses), `${name} left a request of a batch without a response`)
    return found
  })
}

/** A percent sign that escapes nothing is one of the password. */
function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function failure(verdict: BatchVerdict, message: string): EndpointError {
  return verdict === 'refused' ? new BatchRefused(message) : new EndpointError(message, verdict)
}

/** A node can send anything as an error; callers get a number and a short text. */
function errorFrom({ code, message, data }: Partial<Record<keyof RpcError, unknown>>): RpcError {
  return {
    code: typeof code === 'number' ? code : 0,
    message: typeof message === 'string' ? readableText(message) : 'unknown error',
    data,
  }
}

async function readText(response: Response): Promise<string> {
  if (!response.body) return ''
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  let check: ((chunk: Uint8Array) => void) | undefined
  const unread: Uint8Array[] = []
  for await (const chunk of response.body) {
    size += chunk.byteLength
    if (size > RPC_RESPONSE_BYTES_MAX)
      throw new EndpointError(`a response is larger than ${RPC_RESPONSE_BYTES_MAX} bytes`)
    if (check) check(chunk)
    else unread.push(chunk)
    if (check === undefined && size > RPC_RESPONSE_UNREAD_BYTES_MAX) {
      check = jsonBounds()
      for (const earlier of unread.splice(0)) check(earlier)
    }
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function systemCode(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  return typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : ''
}
