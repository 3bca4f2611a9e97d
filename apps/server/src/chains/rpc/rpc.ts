import { type Clock, Failure, type Log } from '../../kernel/index.ts'
import { type Endpoint, EndpointError, type RpcRequest, type RpcResponse } from './endpoint.ts'
import { BATCH_REQUESTS_MAX, ENDPOINT_COOLDOWN_MS, READ_TIMEOUT_MS } from './limits.ts'

/** How the verbs talk to nodes. Calls of the same tick travel in one HTTP request and are answered by one node. */
export interface Rpc {
  /** A call whose refusal means something. Throws CHAIN_UNAVAILABLE when no endpoint answers. */
  tryRequest(method: string, params: readonly unknown[]): Promise<RpcResponse>
  /** A call that a healthy node answers; a refusal is CHAIN_UNAVAILABLE too. */
  request<T>(method: string, params: readonly unknown[]): Promise<T>
  /** The endpoints to try one after the other: those that rest last. */
  endpointsByAvailability(): readonly RpcEndpoint[]
}

/** An endpoint that was found to serve the right chain and knows when it failed. */
export interface RpcEndpoint {
  readonly name: string
  send(requests: readonly RpcRequest[], timeoutMs: number): Promise<RpcResponse[]>
}

interface PendingRequest {
  readonly request: RpcRequest
  resolve(answer: RpcResponse): void
  reject(error: unknown): void
}

/** What differs between families of chains. */
export interface Dialect {
  /** Tells which chain a node serves. */
  readonly identify: string
  /** Whether that is the answer of the right chain. */
  isExpectedChain(answer: unknown): boolean
  /** The method that sends a transaction: it is never repeated behind its caller's back. */
  readonly send: string
}

interface RpcParts {
  readonly endpoints: readonly Endpoint[]
  readonly dialect: Dialect
  readonly clock: Clock
  readonly log: Log
}

/** Failover without ranking: the first URL serves until it fails, then rests for a while. */
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
        return await endpoint.send(requests, READ_TIMEOUT_MS)
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
    for (let from = 0; from < all.length; from += BATCH_REQUESTS_MAX) {
      const part = all.slice(from, from + BATCH_REQUESTS_MAX)
      deliver(part.map(({ request }) => request)).then(
        (answers) => {
          for (const [index, answer] of answers.entries()) part[index]?.resolve(answer)
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
        // After the microtasks of this tick, so that verbs that begin together share the request.
        if (waiting.push({ request: { method, params }, resolve, reject }) === 1) setImmediate(flush)
      })
    },
    async request<T>(method: string, params: readonly unknown[]) {
      const answer = await rpc.tryRequest(method, params)
      if (answer.ok) return answer.result as T
      throw requestRejected(method, answer.error.message)
    },
  }
  return rpc
}

/** A node that cannot answer an honest question leaves us where no node left us. */
export function requestRejected(method: string, reason: string): Failure {
  return new Failure('CHAIN_UNAVAILABLE', { cause: new Error(`${method}: ${reason}`) })
}

interface GuardedEndpoint extends RpcEndpoint {
  cooldownUntil(): number
}

/** Providers say "too many requests" in a proper answer; another endpoint may still serve. */
const RATE_LIMIT_CODES = new Set([429, -32005, -32097])

/**
 * The first request asks which chain it is along with the rest, at no cost: an endpoint of another chain would be
 * believed in everything otherwise.
 */
function guardEndpoint(endpoint: Endpoint, { dialect, clock, log }: RpcParts): GuardedEndpoint {
  let verified = false
  let failures = 0
  let restsUntil = 0

  function failed(error: EndpointError): EndpointError {
    const rest = Math.min(ENDPOINT_COOLDOWN_MS.first * 2 ** failures, ENDPOINT_COOLDOWN_MS.max)
    failures += 1
    verified = false
    restsUntil = clock.now().getTime() + rest
    log.warn({ endpoint: endpoint.name, reason: error.message, restMs: rest }, 'a node did not answer')
    return error
  }

  async function attempt(requests: readonly RpcRequest[], timeoutMs: number): Promise<RpcResponse[]> {
    const answers = await endpoint.send(
      verified ? requests : [...requests, { method: dialect.identify, params: [] }],
      timeoutMs,
    )
    if (!verified) {
      const id = answers.pop()
      if (!id?.ok || !dialect.isExpectedChain(id.result)) {
        const found = id?.ok ? String(id.result) : 'nothing'
        throw new EndpointError(`${endpoint.name} serves another chain: ${dialect.identify} is ${found}`)
      }
      verified = true
    }
    if (answers.some((answer) => !answer.ok && RATE_LIMIT_CODES.has(answer.error.code))) {
      throw new EndpointError(`${endpoint.name} says that there are too many requests`)
    }
    return answers
  }

  return {
    name: endpoint.name,
    cooldownUntil: () => restsUntil,
    async send(requests, timeoutMs) {
      try {
        const answers = await attempt(requests, timeoutMs).catch((error: unknown) => {
          // Servers close idle connections, sometimes under a request. Reading twice harms nobody; sending is the
          // business of whoever sends.
          const onceMore =
            error instanceof EndpointError &&
            error.kind === 'lost' &&
            !requests.some(({ method }) => method === dialect.send)
          if (!onceMore) throw error
          return attempt(requests, timeoutMs)
        })
        failures = 0
        restsUntil = 0
        return answers
      } catch (error) {
        throw error instanceof EndpointError ? failed(error) : error
      }
    },
  }
}
