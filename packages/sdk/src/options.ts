/** What a hook learns about a request. It contains no credential and no body. */
export interface RequestInfo {
  readonly method: string
  readonly url: string
  /** Sent as `x-request-id`; the service logs it. */
  readonly requestId: string
  /** 1 for the first attempt. */
  readonly attempt: number
}

/** Called for logging and metrics. A hook that throws fails the call with its error, and nothing is sent again. */
export interface Hooks {
  /** Before each attempt. */
  readonly request?: (info: RequestInfo) => void
  /** After each response, of whatever status; not if none arrived. */
  readonly response?: (info: RequestInfo & { readonly status: number; readonly durationMs: number }) => void
  /** Before the wait that precedes another attempt. */
  readonly retry?: (info: RequestInfo & { readonly error: Error; readonly waitMs: number }) => void
}

/** A value, or a function that is called for each request. */
type Supplied<T> = T | (() => T | Promise<T>)

export interface ClientOptions {
  /** Where the service listens, such as `https://weir.example.com`. */
  readonly baseUrl: string
  /** Sent as `x-api-key`. Never put one into a page that others load. */
  readonly apiKey?: Supplied<string | undefined>
  /** Sent as `Authorization: Bearer`: an access token, or the secret of a service account. */
  readonly accessToken?: Supplied<string | undefined>
  /** Sent with every request. */
  readonly headers?: Supplied<Readonly<Record<string, string>>>
  /** Whether a browser sends cookies. */
  readonly credentials?: RequestCredentials
  /** How many times a failed request is sent again; 3 by default. */
  readonly maxRetries?: number
  /** How long one attempt may take; 30,000 ms by default, `Infinity` for no limit. RangeError if it is 0 or less. */
  readonly timeoutMs?: number
  readonly hooks?: Hooks
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch
}

/** Options of one call. */
export interface CallOptions {
  readonly signal?: AbortSignal
  /** Chosen by the client if absent, and the same for each retry. Without effect where an operation takes none. */
  readonly idempotencyKey?: string
  /** The approved change request that this call completes. */
  readonly changeRequestId?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly maxRetries?: number
  readonly timeoutMs?: number
}

export async function supplied<T>(value: Supplied<T>): Promise<T> {
  return typeof value === 'function' ? (value as () => T | Promise<T>)() : value
}
