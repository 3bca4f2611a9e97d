import type { Contract } from '../money/contract.ts'

export interface HttpResponse<T> {
  readonly status: number
  readonly headers: Headers
  readonly body: T
  readonly text: string
}

/** The body of an error response; `statusCode` on v1 only. */
export interface Refusal {
  readonly code: string
  readonly message: string
  readonly requestId: string
  readonly statusCode?: number
  readonly details?: Readonly<Record<string, unknown>>
}

export interface RequestOptions {
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent unchanged instead of `body`. */
  readonly raw?: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
  /** An `Idempotency-Key`. */
  readonly idempotencyKey?: string
}

/** A plain HTTP client for one caller. Every response must keep the contract. */
export interface HttpClient {
  request<T>(method: string, path: string, how?: RequestOptions): Promise<HttpResponse<T>>
  get<T>(path: string): Promise<HttpResponse<T>>
  post<T>(path: string, body?: unknown, how?: RequestOptions): Promise<HttpResponse<T>>
  patch<T>(path: string, body: unknown): Promise<HttpResponse<T>>
  delete<T>(path: string): Promise<HttpResponse<T>>
}

/** The headers that identify a caller. */
export type Identity = Readonly<Record<string, string>>

export const withKey = (key: string): Identity => ({ 'x-api-key': key })
export const withToken = (token: string): Identity => ({ authorization: `Bearer ${token}` })
export const ANONYMOUS: Identity = {}

export function createClient(url: () => string, contract: () => Contract, identity: Identity): HttpClient {
  async function request<T>(method: string, path: string, how: RequestOptions = {}): Promise<HttpResponse<T>> {
    const content = how.raw ?? (how.body === undefined ? undefined : JSON.stringify(how.body))
    const response = await fetch(url() + path, {
      method,
      headers: {
        ...(how.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(how.idempotencyKey === undefined ? {} : { 'idempotency-key': how.idempotencyKey }),
        ...identity,
        ...how.headers,
      },
      ...(content === undefined ? {} : { body: content as BodyInit }),
    })
    const { status, headers } = response
    const text = await response.text()
    const breaches = contract().breaches({ method, path, status, headers, text, sent: content })
    if (breaches.length > 0) throw new Error(`${method} ${path} → ${status}: ${breaches.join('; ')}\n${text}`)
    const isJson = headers.get('content-type')?.startsWith('application/json')
    return { status, headers, text, body: (isJson ? JSON.parse(text) : text) as T }
  }
  return {
    request,
    get: (path) => request('GET', path),
    post: (path, body, how) => request('POST', path, { ...how, ...(body === undefined ? {} : { body }) }),
    patch: (path, body) => request('PATCH', path, { body }),
    delete: (path) => request('DELETE', path),
  }
}
