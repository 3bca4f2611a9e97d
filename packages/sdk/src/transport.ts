import { ApiError, ConnectionError, SecretLostError, TimeoutError, type WeirError } from './api-error.ts'
import { errorOf } from './error-of.ts'
import { type CallOptions, type ClientOptions, type RequestInfo, supplied } from './options.ts'
import { randomId } from './random-id.ts'
import { unwrapped } from './unwrapped.ts'
import { LONGEST_TIMER_MS, wait } from './wait.ts'

/** A request before it has credentials. */
export interface OutgoingRequest {
  readonly method: string
  /** Absolute path without a query. */
  readonly path: string
  readonly query?: Readonly<Record<string, unknown>> | undefined
  readonly body?: unknown
  /**
   * The service accepts an Idempotency-Key: the request can be repeated whatever happened to the first. False: it ignores
   * one, so even a caller's key does not permit that. Absent: unknown, and the caller's key says that it does.
   */
  readonly idempotent?: boolean | undefined
  /** The fields of the response's data that only the first response has: a replay has null there. */
  readonly secrets?: readonly string[] | undefined
  /** With `application/json`, a success without JSON counts as a lost response. */
  readonly accept?: string
  /** How long the service may wait before it answers; the time limit is that much longer. */
  readonly waitMs?: number
  /** The response stays open: no time limit applies once its headers have arrived. */
  readonly streams?: boolean
}

export const JSON_TYPE = 'application/json'
const RETRIES = 3
const TIMEOUT_MS = 30_000
const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 8_000
/** A limit's window is a minute. A longer wait is the caller's decision. */
const LONGEST_RETRY_AFTER_MS = 60_000

/** Sends requests with credentials, retries and hooks. */
export class Transport {
  readonly #options: ClientOptions
  readonly #base: string

  constructor(options: ClientOptions) {
    this.#options = options
    this.#base = options.baseUrl.replace(/\/+$/, '')
  }

  /**
   * Returns the first successful response. Throws the ApiError of the response, ConnectionError, TimeoutError,
   * SecretLostError, RangeError for a `timeoutMs` of 0 or less, or the reason of `options.signal`. After an attempt that
   * may have acted and that no repetition decides, it is the error of that attempt.
   */
  async send(request: OutgoingRequest, options: CallOptions = {}): Promise<Response> {
    const retries = options.maxRetries ?? this.#options.maxRetries ?? RETRIES
    const key = options.idempotencyKey ?? (request.idempotent ? randomId() : undefined)
    let lost: WeirError | undefined
    for (let attempt = 1; ; attempt++) {
      const info: RequestInfo = { method: request.method, url: this.#urlOf(request), requestId: randomId(), attempt }
      try {
        const response = await this.#attempt(request, options, info, key)
        // With a key of its own, the caller may repeat a call whose secret it has.
        if (attempt > 1 && options.idempotencyKey === undefined) await requireSecrets(request, response, info)
        return response
      } catch (error) {
        options.signal?.throwIfAborted()
        const waitMs = waitBefore(attempt, error, request, key !== undefined && request.idempotent !== false)
        if (mayHaveActed(request, error, lost)) lost = error
        // The attempt that was lost may have acted, or still will; the refusal of its repetition must not hide that.
        if (attempt > retries || waitMs === undefined) throw lost !== undefined && isUndecided(error) ? lost : error
        this.#options.hooks?.retry?.({ ...info, error: error as Error, waitMs })
        await wait(waitMs, options.signal)
      }
    }
  }

  async #attempt(request: OutgoingRequest, options: CallOptions, info: RequestInfo, key?: string): Promise<Response> {
    const { hooks, credentials, fetch: own } = this.#options
    const limitMs = options.timeoutMs ?? this.#options.timeoutMs ?? TIMEOUT_MS
    if (!(limitMs > 0)) throw new RangeError('timeoutMs must be more than 0')
    const timeoutMs = limitMs + (request.waitMs ?? 0)
    const headers = await this.#headersOf(request, options, info, key)
    const idempotencyKey = request.idempotent === false ? undefined : key
    hooks?.request?.(info)
    const startedAt = performance.now()
    const limit = new AbortController()
    const timer = timeoutMs > LONGEST_TIMER_MS ? undefined : setTimeout(() => limit.abort(), timeoutMs)
    const signal = options.signal ? AbortSignal.any([options.signal, limit.signal]) : limit.signal
    let response: Response
    try {
      response = await (own ?? fetch)(info.url, {
        method: request.method,
        headers,
        signal,
        redirect: 'manual',
        ...(credentials && { credentials }),
        ...(request.body !== undefined && { body: JSON.stringify(request.body, asText) }),
      })
      if (!request.streams || !response.ok) response = await whole(response)
    } catch (error) {
      options.signal?.throwIfAborted()
      if (limit.signal.aborted)
        throw new TimeoutError(`No response within ${timeoutMs} ms from ${info.url}`, info.requestId, {
          idempotencyKey,
        })
      throw new ConnectionError(`No response from ${info.url}: ${(error as Error).message}`, info.requestId, {
        cause: error,
        idempotencyKey,
      })
    } finally {
      clearTimeout(timer)
    }
    // Out of the block above: an error of the hook is not a lost connection, after which the request would be repeated.
    hooks?.response?.({ ...info, status: response.status, durationMs: performance.now() - startedAt })
    if (!response.ok) throw await errorOf(response, info.requestId, idempotencyKey)
    if (request.accept === JSON_TYPE) await requireJson(response, info, idempotencyKey)
    return response
  }

  #urlOf({ path, query = {} }: OutgoingRequest): string {
    const search = new URLSearchParams()
    for (const [name, value] of Object.entries(query)) {
      for (const item of [value].flat()) if (item !== undefined && item !== null) search.append(name, String(item))
    }
    // Older runtimes have no `search.size`.
    const text = search.toString()
    return `${this.#base}${path}${text && `?${text}`}`
  }

  async #headersOf(request: OutgoingRequest, options: CallOptions, info: RequestInfo, key?: string) {
    const { apiKey, accessToken, headers } = this.#options
    const [keyText, token, common] = await Promise.all([supplied(apiKey), supplied(accessToken), supplied(headers)])
    return {
      accept: request.accept ?? JSON_TYPE,
      'x-request-id': info.requestId,
      ...(request.body !== undefined && { 'content-type': JSON_TYPE }),
      ...(keyText !== undefined && { 'x-api-key': keyText }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(key !== undefined && { 'idempotency-key': key }),
      ...(options.changeRequestId !== undefined && { 'change-request-id': String(options.changeRequestId) }),
      ...common,
      ...options.headers,
    }
  }
}

/** JSON has no bigint; the service takes amounts as text. */
function asText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value
}

/** Throws SecretLostError if the service replayed a response whose secrets only the lost one had. */
async function requireSecrets({ path, secrets = [] }: OutgoingRequest, response: Response, { requestId }: RequestInfo) {
  if (secrets.length === 0 || response.headers.get('idempotency-replayed') !== 'true') return
  const data = (await unwrapped(response.clone(), path)) as Readonly<Record<string, unknown>>
  const lost = secrets.filter((field) => data[field] === null)
  if (lost.length > 0) throw new SecretLostError(lost, data, response.headers.get('x-request-id') ?? requestId)
}

/** Throws ConnectionError where something between answered in place of the service, which may have acted. */
async function requireJson(response: Response, { url, requestId }: RequestInfo, idempotencyKey?: string) {
  if (response.status === 204) return
  try {
    await response.clone().json()
  } catch (cause) {
    const id = response.headers.get('x-request-id') ?? requestId
    throw new ConnectionError(`No JSON from ${url}`, id, { cause, idempotencyKey })
  }
}

/** The response with its whole body read, so that a connection lost halfway counts as lost. */
async function whole(response: Response): Promise<Response> {
  if (response.body === null || [204, 205, 304].includes(response.status)) return response
  const { status, statusText, headers } = response
  return new Response(await response.arrayBuffer(), { status, statusText, headers })
}

/** Before the service looks at the key of a request. */
const UNDECIDED = new Set([401, 403, 408, 429])

/**
 * Whether a refusal says nothing about an earlier attempt with the same key: it came before the service looked at the key,
 * while that attempt runs, or from a failure that stores nothing.
 */
function isUndecided(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  return error.details.reason === 'request_in_progress' || error.status >= 500 || UNDECIDED.has(error.status)
}

/** Refusals of the service that promise that nothing changed. */
const CHANGED_NOTHING = new Set(['CHAIN_UNAVAILABLE', 'RAMP_UNAVAILABLE'])

/**
 * Whether what a request changes may be done, or will be. A ConnectionError says so best: a later failure does not
 * replace it.
 */
function mayHaveActed({ method }: OutgoingRequest, error: unknown, lost: unknown): error is WeirError {
  if (method === 'GET') return false
  if (error instanceof ConnectionError) return true
  const isFailure = error instanceof ApiError && error.status >= 500 && !CHANGED_NOTHING.has(error.code)
  return isFailure && !(lost instanceof ConnectionError)
}

/**
 * How long to wait before the next attempt; undefined if repeating could act twice or cannot help. After 429 and the
 * refusals above nothing changed. After another loss the request may have acted, so only one that acts once is repeated:
 * the service answers 503 NOT_READY also where its connection was lost during a commit, and a proxy 503 where it lost the
 * service's response.
 */
function waitBefore(attempt: number, error: unknown, request: OutgoingRequest, keyed: boolean): number | undefined {
  const backoff = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2)
  const actsOnce = keyed || request.method === 'GET'
  if (error instanceof ApiError) {
    const { status, code, retryAfterMs } = error
    if (retryAfterMs !== undefined && retryAfterMs > LONGEST_RETRY_AFTER_MS) return undefined
    // The first attempt of this very request still runs.
    const stillRuns = code === 'IDEMPOTENCY_CONFLICT' && keyed && attempt > 1
    const isRefusedForNow = status === 429 || CHANGED_NOTHING.has(code) || stillRuns
    const isServerError = [500, 502, 503, 504].includes(status) && actsOnce
    return isRefusedForNow || isServerError ? Math.max(retryAfterMs ?? 0, backoff) : undefined
  }
  return error instanceof ConnectionError && actsOnce ? backoff : undefined
}
