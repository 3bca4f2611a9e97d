import { withoutBankNumbers } from './bank-numbers.ts'
import { tellOfNewCookie } from './cookie-news.ts'
import { noteResponse } from './reachable.ts'

/** One request to the API, as the page sent it; shown as curl and in the log of this tab. */
export interface SentRequest {
  readonly id: number
  readonly method: Method
  readonly path: string
  readonly body: unknown
  readonly at: Date
  readonly status: number
  readonly requestId: string | null
  readonly durationMs: number
  readonly error: string | null
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A refusal of the service, by its code. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: string
  readonly details: Readonly<Record<string, unknown>>
  readonly requestId: string | null
  /** How long the service asks to wait, in seconds; null where it does not. */
  readonly retryAfterSeconds: number | null

  constructor(
    status: number,
    body: { code?: string; message?: string; details?: Record<string, unknown> },
    headers?: Headers,
  ) {
    super(body.message ?? 'The service does not respond.')
    this.status = status
    this.code = body.code ?? 'UNREACHABLE'
    this.details = body.details ?? {}
    this.requestId = headers?.get('x-request-id') ?? null
    const wait = Number(headers?.get('retry-after') ?? Number.NaN)
    this.retryAfterSeconds = Number.isFinite(wait) ? wait : null
  }

  /** Why, where the code alone does not say it. */
  get reason(): string | undefined {
    return typeof this.details.reason === 'string' ? this.details.reason : undefined
  }
}

/** What the API returned, without core's envelope. */
export interface Answer<T> {
  readonly data: T
  readonly status: number
  /** Of lists on core, from `X-Total-Count`. */
  readonly total: number | null
}

interface Hooks {
  onSessionEnded: () => void
  /** Verifies a second factor; false if the person gives up. */
  stepUp: (factors: readonly string[]) => Promise<boolean>
}

const LOG_LENGTH = 50
let csrfToken: string | null = null
/** Whose session the token belongs to. */
let csrfUser: number | undefined
let hooks: Hooks = { onSessionEnded: () => {}, stepUp: async () => false }
let log: readonly SentRequest[] = []
let sent = 0
/** How many people have used this tab before. */
let people = 0
const listeners = new Set<() => void>()

export function setCsrfToken(token: string | null, user?: number): void {
  csrfToken = token
  csrfUser = user
}
export const setHooks = (next: Hooks): void => {
  hooks = next
}
export const requestLog = (): readonly SentRequest[] => log
export function onRequestLogged(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function record(entry: Omit<SentRequest, 'id'>): void {
  sent += 1
  log = [{ ...entry, id: sent }, ...log].slice(0, LOG_LENGTH)
  for (const listener of listeners) listener()
}

/** The next person at this tab sees no request of the one before, nor one that is still on its way. */
export function forgetRequests(): void {
  people += 1
  log = []
  for (const listener of listeners) listener()
}

/** Paths whose bodies hold passwords, codes or secrets: these never enter the log. */
const SECRET_BODIES = /\/auth\/|\/members|\/sso\/providers/

interface Options {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** A sign-in: its refusal does not mean that the session ended. */
  readonly isSignIn?: boolean
  readonly signal?: AbortSignal
}

/** Another tab of this person has got another cookie for their session. */
const OF_AN_OLDER_COOKIE = new Set(['csrf_token_invalid', 'session_cookie_replaced'])

/** Reads the token of the cookie that the browser has now; false if another person has signed in. */
async function readCsrfToken(): Promise<boolean> {
  const answer = await attempt<{ csrfToken: string | null; user: { id: number } }>(
    'GET',
    '/api/core/auth/browser-session',
    {},
  )
  if (answer instanceof ApiError || answer.data.user.id !== csrfUser) return false
  csrfToken = answer.data.csrfToken
  return true
}

/** Sends a request with the session's cookie. Throws {@link ApiError}. */
export async function send<T>(method: Method, path: string, options: Options = {}): Promise<Answer<T>> {
  let answer = await attempt<T>(method, path, options)
  const isOfOlderCookie = answer instanceof ApiError && OF_AN_OLDER_COOKIE.has(answer.reason ?? '')
  if (isOfOlderCookie && (await readCsrfToken())) answer = await attempt<T>(method, path, options)
  if (!(answer instanceof ApiError)) return answer
  const person = people
  if (
    answer.reason === 'step_up_required' &&
    (await hooks.stepUp((answer.details.factors as string[]) ?? [])) &&
    // Another tab may have let somebody else in: what this person asked for is not for them.
    person === people
  ) {
    const second = await attempt<T>(method, path, options)
    if (second instanceof ApiError) throw second
    return second
  }
  if (answer.status === 401 && !options.isSignIn) hooks.onSessionEnded()
  throw answer
}

export const get = async <T>(path: string, signal?: AbortSignal): Promise<T> =>
  (await send<T>('GET', path, signal ? { signal } : {})).data
export const post = async <T>(path: string, body: unknown = {}, options: Options = {}): Promise<T> =>
  (await send<T>('POST', path, { ...options, body })).data

async function attempt<T>(method: Method, path: string, options: Options): Promise<Answer<T> | ApiError> {
  const { body, headers, signal } = options
  const at = new Date()
  const person = people
  const init: RequestInit = {
    method,
    credentials: 'same-origin',
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(method === 'GET' || csrfToken === null ? {} : { 'x-weir-csrf': csrfToken }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  }
  let status = 0
  let requestId: string | null = null
  let result: Answer<T> | ApiError
  try {
    const response = await fetch(path, init)
    status = response.status
    const newToken = response.headers.get('x-weir-csrf')
    if (newToken !== null) {
      csrfToken = newToken
      tellOfNewCookie()
    }
    requestId = response.headers.get('x-request-id')
    const text = await response.text()
    const parsed = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>
    result = response.ok ? answerOf<T>(path, parsed, response) : new ApiError(status, parsed, response.headers)
  } catch (error) {
    if (signal?.aborted) throw error
    result = new ApiError(0, {})
  }
  noteResponse(status !== 0)
  if (person === people)
    record({
      method,
      path,
      body: SECRET_BODIES.test(path) ? undefined : withoutBankNumbers(body),
      at,
      status,
      requestId,
      durationMs: Date.now() - at.getTime(),
      error: result instanceof ApiError ? result.code : null,
    })
  return result
}

function answerOf<T>(path: string, parsed: Record<string, unknown>, { status, headers }: Response): Answer<T> {
  const total = headers.get('x-total-count')
  const isEnveloped =
    (parsed !== null && parsed.success === true && 'data' in parsed && path.startsWith('/api/')) ||
    path.startsWith('/sandbox/')
  return {
    data: (isEnveloped ? parsed.data : parsed) as T,
    status,
    total: total === null ? null : Number(total),
  }
}

/** Every page of a list, which the service sends in one response, a line each. Throws {@link ApiError}. */
export async function sendForPages<T>(path: string, signal: AbortSignal): Promise<AsyncGenerator<Answer<T>>> {
  const headers = { accept: 'application/x-ndjson' }
  const response = await fetch(path, { credentials: 'same-origin', headers, signal }).catch((error) => {
    throw signal.aborted ? error : new ApiError(0, {})
  })
  if (!response.ok || response.body === null) {
    const error = new ApiError(response.status, await response.json().catch(() => ({})), response.headers)
    if (error.status === 401) hooks.onSessionEnded()
    throw error
  }
  return pagesOf<T>(path, response, signal)
}

async function* pagesOf<T>(path: string, response: Response, signal: AbortSignal): AsyncGenerator<Answer<T>> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      const lines = (rest + value).split('\n')
      rest = lines.pop()!
      for (const line of lines) yield answerOf<T>(path, JSON.parse(line), response)
    }
  } catch (error) {
    // A connection that breaks off is no end of the list.
    throw signal.aborted ? error : new ApiError(0, {})
  } finally {
    void reader.cancel().catch(() => undefined)
  }
  // Nor is the middle of a line.
  if (rest !== '') throw new ApiError(0, {})
}

/** The request as a command for a shell; the key is left for the reader to fill in. */
export function asCurl(
  { method, path, body }: Pick<SentRequest, 'method' | 'path' | 'body'>,
  headers: Readonly<Record<string, string>> = {},
): string {
  const credential = /^\/(v1|api\/agent)\//.test(path) ? 'x-api-key: $KEY' : 'authorization: Bearer $TOKEN'
  const more = Object.entries(headers).map(([name, value]) => `-H "${name}: ${value}"`)
  const parts = [`curl "${location.origin}${path}"`, `-H "${credential}"`, ...more]
  if (method !== 'GET' && !(method === 'POST' && body !== undefined)) parts.push(`-X ${method}`)
  if (body !== undefined) {
    parts.push("-H 'content-type: application/json'", `-d '${JSON.stringify(body).replaceAll("'", String.raw`'\''`)}'`)
  }
  return parts.join(' \\\n  ')
}
