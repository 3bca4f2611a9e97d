import {
  type Clock,
  Failure,
  type Log,
  RPC_BATCH_MAX,
  RPC_ENDPOINT_COOLDOWN_MS,
  RPC_READ_TIMEOUT_MS,
} from '../../kernel/index.ts'
import { type Endpoint, EndpointError, type RpcRequest, type RpcResponse } from './endpoint.ts'

/** How the verbs call nodes. Calls of the same tick share one HTTP request and are served by one node. */
export interface Rpc {
  /** A call whose error is meaningful. Throws CHAIN_UNAVAILABLE when no endpoint responds. */
  tryRequest(method: string, params: readonly unknown[]): Promise<RpcResponse>
  /** A call that a healthy node serves; an error is CHAIN_UNAVAILABLE too. */
  request<T>(method: string, params: readonly unknown[]): Promise<T>
  /** The endpoints in the order to try them; those in cooldown come last. */
  endpointsByAvailability(): readonly RpcEndpoint[]
}

/** An endpoint that is verified to serve the right chain and tracks its failures. */
export interface RpcEndpoint {
  readonly name: string
  send(requests: readonly RpcRequest[], timeoutMs: number): Promise<RpcResponse[]>
}

interface PendingRequest {
  readonly request: RpcRequest
  resolve(response: RpcResponse): void
  reject(error: unknown): void
}

/** What differs between chain families. */
export interface Dialect {
  /** The method that identifies the chain that a node serves. */
  readonly identify: string
  /** Whether this result identifies the right chain. */
  isExpectedChain(response: unknown): boolean
  /** The method that sends a transaction; it is never retried without its caller's knowledge. */
  readonly send: string
}

interface RpcParts {
  readonly endpoints: readonly Endpoint[]
  readonly dialect: Dialect
  readonly clock: Clock
  readonly log: Log
}

/** Failover without ranking: the first URL serves until it fails, then cools down for a while. */
export function createRpc(parts: RpcParts): Rpc {
  const { clock } = parts
  const guarded = parts.endpoints.map((endpoint) => guardEndpoint(endpoint, parts))
  let waiting: PendingRequest[] = []

  function endpointsByAvailability(): GuardedEndpoint[] {
    const now = clock.now().getTime()
    const rest = ({ cooldownUntil }: GuardedEndpoint) => (cooldownUntil() > now ? cooldownUntil() : 0)
    return [...guarded].sort((one, other) => rest(one) - rest(other))
  }

  async function deliver(requests: readonly RpcRequest[]): Promise<RpcResponse[]> {
    const reasons: string[] = []
    for (const endpoint of endpointsByAvailability()) {
      try {
        return await endpoint.send(requests, RPC_READ_TIMEOUT_MS)
      } catch (error) {
        if (!(error instanceof EndpointError)) throw error
        reasons.push(error.message)
      }
    }
    throw new Failure('CHAIN_UNAVAILABLE', { cause: new Error(reasons.join('; ')) })
  }

  function flush(): void {
    const all = waiting
    waiting = []
    for (let from = 0; from < all.length; from += RPC_BATCH_MAX) {
      const part = all.slice(from, from + RPC_BATCH_MAX)
      deliver(part.map(({ request }) => request)).then(
        (responses) => {
          for (const [index, response] of responses.entries()) part[index]?.resolve(response)
        },
        (error: unknown) => {
          for (const { reject } of part) reject(error)
        },
      )
    }
  }

  const rpc: Rpc = {
    endpointsByAvailability,
    tryRequest(method, params) {
      return new Promise((resolve, reject) => {
        // After the microtasks of this tick, so that verbs that start together share the request.
        if (waiting.push({ request: { method, params }, resolve, reject }) === 1) setImmediate(flush)
      })
    },
    async request<T>(method: string, params: readonly unknown[]) {
      const response = await rpc.tryRequest(method, params)
      if (response.ok) return response.result as T
      throw requestRejected(method, response.error.message)
    },
  }
  return rpc
}

/** A node that cannot serve a valid request is as good as no node. */
export function requestRejected(method: string, reason: string): Failure {
  return new Failure('CHAIN_UNAVAILABLE', { cause: new Error(`${method}: ${reason}`) })
}

interface GuardedEndpoint extends RpcEndpoint {
  cooldownUntil(): number
}

/** Providers report "too many requests" in a regular response; another endpoint may still serve. */
const RATE_LIMIT_CODES = new Set([429, -32005, -32097])

/**
 * The first request also identifies the chain, at no extra cost: without that, an endpoint of another chain would be
 * trusted in everything.
 */
function guardEndpoint(endpoint: Endpoint, { dialect, clock, log }: RpcParts): GuardedEndpoint {
  let verified = false
  let failures = 0
  let coolsDownUntil = 0

  function failed(error: EndpointError): EndpointError {
    const rest = Math.min(RPC_ENDPOINT_COOLDOWN_MS.first * 2 ** failures, RPC_ENDPOINT_COOLDOWN_MS.max)
    failures += 1
    verified = false
    coolsDownUntil = clock.now().getTime() + rest
    log.warn({ endpoint: endpoint.name, reason: error.message, restMs: rest }, 'node unavailable')
    return error
  }

  async function attempt(requests: readonly RpcRequest[], timeoutMs: number): Promise<RpcResponse[]> {
    const responses = await endpoint.send(
      verified ? requests : [...requests, { method: dialect.identify, params: [] }],
      timeoutMs,
    )
    if (!verified) {
      const id = responses.pop()
      if (!id?.ok || !dialect.isExpectedChain(id.result)) {
        const found = id?.ok && typeof id.result === 'string' ? id.result.slice(0, 100) : 'something else'
        throw new EndpointError(`${endpoint.name} serves another chain: ${dialect.identify} is ${found}`)
      }
      verified = true
    }
    if (responses.some((response) => !response.ok && RATE_LIMIT_CODES.has(response.error.code))) {
      throw new EndpointError(`${endpoint.name} reports too many requests`)
    }
    return responses
  }

  return {
    name: endpoint.name,
    cooldownUntil: () => coolsDownUntil,
    async send(requests, timeoutMs) {
      try {
        const responses = await attempt(requests, timeoutMs).catch((error: unknown) => {
          // Servers close idle connections, sometimes during a request. Reading twice is harmless; whether to send
          // again is the sender's decision.
          const isRetryable =
            error instanceof EndpointError &&
            error.kind === 'lost' &&
            !requests.some(({ method }) => method === dialect.send)
          if (!isRetryable) throw error
          return attempt(requests, timeoutMs)
        })
        failures = 0
        coolsDownUntil = 0
        return responses
      } catch (error) {
        throw error instanceof EndpointError ? failed(error) : error
      }
    },
  }
}
