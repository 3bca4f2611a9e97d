import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'

/** A response that ends a request: below 500, and no conflict that a repetition resolves. */
export interface Acknowledgement<T> {
  readonly status: number
  readonly body: T
}

/**
 * A caller that does what docs/idempotency.md says: it repeats the same request until somebody acknowledges it. It stays
 * with one process, and goes to the next one when it gets no response, as a load balancer does.
 */
export interface HonestClient {
  /** Repeats with the same key until it has a response. Throws once it is ended. */
  post<T>(path: string, body: unknown): Promise<Acknowledgement<T>>
  get<T>(path: string): Promise<Acknowledgement<T>>
  /** How many requests were repeated. */
  readonly repetitions: () => number
  end(): void
}

const TIMEOUT_MS = 5_000
const PAUSE_MS = 200

export class Ended extends Error {
  override readonly name = 'Ended'
}

export function createHonestClient(urls: readonly string[], headers: Readonly<Record<string, string>>): HonestClient {
  let at = 0
  let repetitions = 0
  const ending = new AbortController()

  async function request<T>(method: string, path: string, body?: unknown): Promise<Acknowledgement<T>> {
    const key = randomUUID()
    for (;;) {
      if (ending.signal.aborted) throw new Ended()
      const url = urls[at % urls.length]!
      const found = await attempt<T>(`${url}${path}`, {
        method,
        headers: {
          ...headers,
          ...(body !== undefined && { 'content-type': 'application/json', 'idempotency-key': key }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.any([ending.signal, AbortSignal.timeout(TIMEOUT_MS)]),
      })
      if (found) return found
      repetitions += 1
      at += 1
      await pause(PAUSE_MS)
    }
  }
  return {
    post: (path, body) => request('POST', path, body),
    get: (path) => request('GET', path),
    repetitions: () => repetitions,
    end: () => ending.abort(),
  }
}

/** Undefined: nobody acknowledged it, so it may or may not have taken effect. */
async function attempt<T>(url: string, init: RequestInit): Promise<Acknowledgement<T> | undefined> {
  try {
    const response = await fetch(url, init)
    const body = (await response.json()) as T & { details?: { reason?: string } }
    const { status } = response
    const isRunning = status === 409 && body.details?.reason === 'request_in_progress'
    return status >= 500 || status === 429 || isRunning ? undefined : { status, body }
  } catch {
    return undefined
  }
}
