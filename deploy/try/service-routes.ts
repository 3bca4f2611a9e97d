import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'

/** A process that serves requests, and its version. */
interface Route {
  readonly version: string
  readonly url: string
}
interface RouteRequest {
  readonly path: string
  /** Makes it a POST. */
  readonly body?: object
  /** Also names the caller. */
  readonly headers: Readonly<Record<string, string>>
  /** The status that the caller expects. */
  readonly status: number
}

/**
 * Sends each request to the process whose turn it is, once: a load balancer without retries. Each response that its
 * caller does not expect is a problem.
 */
export class ServiceRoutes {
  readonly #routes: Route[] = []
  readonly #inProgress = new Map<string, number>()

  add(route: Route): void {
    this.#routes.push(route)
  }

  /** Sends a process nothing new, and waits until it has responded to everything. */
  async remove(route: Route): Promise<void> {
    this.#routes.splice(this.#routes.indexOf(route), 1)
    while (this.#inProgress.get(route.url)) await pause(20)
  }

  /** Returns the body, and the version that responded. Throws both if the status is not the expected one. */
  async send<T>(turn: number, { path, body, headers, status }: RouteRequest): Promise<{ version: string; body: T }> {
    const { version, url } = this.#routes[turn % this.#routes.length]!
    const method = body ? 'POST' : 'GET'
    this.#count(url, 1)
    try {
      const response = await fetch(url + path, {
        method,
        headers: {
          ...(body && { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
          ...headers,
        },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(60_000),
      })
      const text = await response.text()
      if (response.status !== status) throw new Error(`${response.status} ${text}`)
      return { version, body: JSON.parse(text) as T }
    } catch (error) {
      throw new Error(`${version}: ${method} ${path}: ${error}`, { cause: error })
    } finally {
      this.#count(url, -1)
    }
  }

  #count(url: string, change: number): void {
    this.#inProgress.set(url, (this.#inProgress.get(url) ?? 0) + change)
  }
}
