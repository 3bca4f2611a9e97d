import {
  type Clock,
  Failure,
  inSpan,
  type Log,
  RPC_ABSENCE_MS,
  RPC_BATCH_MAX,
  RPC_ENDPOINT_COOLDOWN_MS,
  RPC_MISSING_STATE_RETRY_MS,
  RPC_READ_TIMEOUT_MS,
} from '../../kernel/index.ts'
import { type Endpoint, EndpointError, type RpcError, type RpcRequest, type RpcResponse } from './endpoint.ts'
import { isNodeFault } from './node-faults.ts'
import { STATE_UNKNOWN } from './past-state.ts'
import type { RpcEndpointHealth, RpcEndpointStatus, RpcObserver, RpcOutcome } from './rpc-observer.ts'
import { rpcSpan } from './rpc-span.ts'

/** How the verbs call nodes. Calls of the same tick share one HTTP request and are served by one node. */
export interface Rpc {
  /** A call whose error is meaningful. Throws CHAIN_UNAVAILABLE when no endpoint responds. */
  tryRequest(method: string, params: readonly unknown[]): Promise<RpcResponse>
  /** A call that a healthy node serves: after an error, the next one is asked; CHAIN_UNAVAILABLE if none serves it. */
  request<T>(method: string, params: readonly unknown[]): Promise<T>
  /** The endpoints in the order to try them; those in cooldown come last. */
  endpointsByAvailability(): readonly RpcEndpoint[]
  /** Whether each endpoint failed several times in a row, and rests: the next call would probably wait for nothing. */
  isResting(): boolean
}

/** An endpoint that is verified to serve the right chain and tracks its failures. */
export interface RpcEndpoint {
  readonly name: string
  send(requests: readonly RpcRequest[], timeoutMs: number): Promise<RpcResponse[]>
}

interface PendingRequest {
  readonly request: RpcRequest
  /** Whether a healthy node serves it. */
  readonly isServable: boolean
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
  /** Where the state of past blocks can be read: which requests do so, and how a node says that it forgot it. */
  readonly pastState?: {
    isReadBy(request: RpcRequest): boolean
    isMissing(error: RpcError): boolean
  }
}

interface RpcParts {
  readonly endpoints: readonly Endpoint[]
  readonly dialect: Dialect
  readonly clock: Clock
  readonly log: Log
  readonly blockchain: string
  readonly observer?: RpcObserver | undefined
}

/**
 * Failover without ranking: the first URL serves until it fails, then cools down for a while. Reads of past state that a
 * node does not keep go to the next one; that node then serves such reads last. Its refusal stands only if each other
 * node refused too, or stopped responding long ago. A node that refuses what every healthy node serves has failed as soon
 * as another one serves it; what all of them refuse is the fault of the call, and its first answer stands.
 */
export function createRpc(parts: RpcParts): Rpc {
  const {
    clock,
    dialect: { pastState },
  } = parts
  const guarded = parts.endpoints.map((endpoint) => guardEndpoint(endpoint, parts))
  parts.observer?.watch(parts.blockchain, () => guarded.map(statusOf))
  let waiting: PendingRequest[] = []

  function endpointsByAvailability(): GuardedEndpoint[] {
    const now = clock.now().getTime()
    const rest = ({ cooldownUntil }: GuardedEndpoint) => (cooldownUntil() > now ? cooldownUntil() : 0)
    return [...guarded].sort((one, other) => rest(one) - rest(other))
  }

  function endpointsFor(requests: readonly RpcRequest[]): GuardedEndpoint[] {
    const endpoints = endpointsByAvailability()
    if (!requests.some((request) => pastState?.isReadBy(request))) return endpoints
    return endpoints.sort((one, other) => Number(one.lacksState()) - Number(other.lacksState()))
  }

  async function deliver(batch: readonly PendingRequest[]): Promise<RpcResponse[]> {
    const requests = batch.map(({ request }) => request)
    const reasons: string[] = []
    const failed: GuardedEndpoint[] = []
    const refusing: { readonly endpoint: GuardedEndpoint; readonly responses: RpcResponse[] }[] = []
    let forgotten: RpcResponse[] | undefined
    let served: RpcResponse[] | undefined
    const isForgotten = (response: RpcResponse) => !response.ok && pastState?.isMissing(response.error) === true
    const isRefused = (response: RpcResponse, index: number) =>
      !response.ok && !isForgotten(response) && (batch[index]!.isServable || isNodeFault(response.error))
    const isFailure = (response: RpcResponse, index: number) =>
      isRefused(response, index) && batch[index]!.isServable && !pastState?.isReadBy(requests[index]!)

    for (const endpoint of endpointsFor(requests)) {
      try {
        const responses = await endpoint.send(requests, RPC_READ_TIMEOUT_MS, isRefused)
        if (responses.some(isRefused)) refusing.push({ endpoint, responses })
        else if (responses.some(isForgotten)) forgotten ??= responses
        else {
          served = responses
          break
        }
      } catch (error) {
        if (!(error instanceof EndpointError)) throw error
        reasons.push(error.message)
        failed.push(endpoint)
      }
    }
    let refused: RpcResponse[] | undefined
    for (const { endpoint, responses } of refusing) {
      const failure = responses.findIndex(isFailure)
      if (failure === -1 || (served ?? forgotten) === undefined) refused ??= responses
      else {
        endpoint.refuse(requests[failure]!, responses[failure]!)
        failed.push(endpoint)
      }
    }
    if (served !== undefined) return served
    const answer = refused ?? forgotten
    if (answer === undefined) throw new Failure('CHAIN_UNAVAILABLE', { cause: new Error(reasons.join('; ')) })
    const mayBeKept = failed.some((endpoint) => endpoint.mayKeepState())
    return mayBeKept ? answer.map((one) => (isForgotten(one) ? STATE_UNKNOWN : one)) : answer
  }

  function flush(): void {
    const all = waiting
    waiting = []
    for (let from = 0; from < all.length; from += RPC_BATCH_MAX) {
      const part = all.slice(from, from + RPC_BATCH_MAX)
      deliver(part).then(
        (responses) => {
          for (const [index, response] of responses.entries()) part[index]?.resolve(response)
        },
        (error: unknown) => {
          for (const { reject } of part) reject(error)
        },
      )
    }
  }

  function ask(request: RpcRequest, isServable: boolean): Promise<RpcResponse> {
    return new Promise((resolve, reject) => {
      // After the microtasks of this tick, so that verbs that start together share the request.
      if (waiting.push({ request, isServable, resolve, reject }) === 1) setImmediate(flush)
    })
  }

  return {
    endpointsByAvailability,
    isResting: () => guarded.every((endpoint) => endpoint.failedAgain() && endpoint.health() === 'resting'),
    tryRequest: (method, params) => ask({ method, params }, false),
    async request<T>(method: string, params: readonly unknown[]) {
      const response = await ask({ method, params }, true)
      if (response.ok) return response.result as T
      throw requestRejected(method, response.error.message)
    },
  }
}

function statusOf({ name, health, lacksState }: GuardedEndpoint): RpcEndpointStatus {
  return { name, health: health(), lacksState: lacksState() }
}

/** A node that cannot serve a valid request is as good as no node. */
export function requestRejected(method: string, reason: string): Failure {
  return new Failure('CHAIN_UNAVAILABLE', { cause: new Error(`${method}: ${reason}`) })
}

interface GuardedEndpoint extends RpcEndpoint {
  /** A response that is refused does not end a rest, and does not count as a failure yet. */
  send(
    requests: readonly RpcRequest[],
    timeoutMs: number,
    isRefused?: (response: RpcResponse, index: number) => boolean,
  ): Promise<RpcResponse[]>
  /** It refused a request that another node serves: a failure. */
  refuse(request: RpcRequest, response: RpcResponse): void
  /** Whether it recently refused to read the state of a past block, because it does not keep it. */
  lacksState(): boolean
  /** Of one that failed: whether it may keep the state of past blocks, and respond again soon. */
  mayKeepState(): boolean
  health(): RpcEndpointHealth
  /** Whether it failed more than once since it last responded. */
  failedAgain(): boolean
  cooldownUntil(): number
}

/** Providers report "too many requests" in a regular response; another endpoint may still serve. */
const RATE_LIMIT_CODES = new Set([429, -32005, -32097])

/**
 * The first request also identifies the chain, at no extra cost: without that, an endpoint of another chain would be
 * trusted in everything.
 */
function guardEndpoint(endpoint: Endpoint, { dialect, clock, log, blockchain, observer }: RpcParts): GuardedEndpoint {
  let verified = false
  let failures = 0
  let coolsDownUntil = 0
  let lacksStateUntil = 0
  let lacksStateSince = 0
  let failingSince = 0
  const lasted = (since: number) => ({
    endpoint: endpoint.name,
    seconds: Math.round((clock.now().getTime() - since) / 1_000),
  })

  function failed(error: EndpointError): EndpointError {
    const rest = Math.min(RPC_ENDPOINT_COOLDOWN_MS.first * 2 ** failures, RPC_ENDPOINT_COOLDOWN_MS.max)
    failures += 1
    verified = false
    coolsDownUntil = clock.now().getTime() + rest
    if (failures === 1) {
      failingSince = clock.now().getTime()
      log.warn({ endpoint: endpoint.name, reason: error.message }, 'node unavailable')
    }
    return error
  }

  /** One HTTP request, measured and traced. */
  function attempt(requests: readonly RpcRequest[], timeoutMs: number): Promise<RpcResponse[]> {
    return inSpan(
      () => rpcSpan(blockchain, endpoint.name, requests),
      async (span) => {
        try {
          return await measured(requests, timeoutMs)
        } catch (error) {
          if (error instanceof EndpointError) span.fail(error.kind)
          throw error
        }
      },
    )
  }

  async function measured(requests: readonly RpcRequest[], timeoutMs: number): Promise<RpcResponse[]> {
    if (observer === undefined) return await exchange(requests, timeoutMs)
    const begun = performance.now()
    const report = (outcome: RpcOutcome) => {
      const seconds = (performance.now() - begun) / 1_000
      observer.requested({ blockchain, endpoint: endpoint.name, outcome, seconds })
    }
    try {
      const responses = await exchange(requests, timeoutMs)
      report('ok')
      return responses
    } catch (error) {
      report(error instanceof EndpointError ? error.kind : 'bad')
      throw error
    }
  }

  async function exchange(requests: readonly RpcRequest[], timeoutMs: number): Promise<RpcResponse[]> {
    // Another exchange may verify the endpoint meanwhile; this one still has the extra response.
    const identifies = !verified
    const responses = await endpoint.send(
      identifies ? [...requests, { method: dialect.identify, params: [] }] : requests,
      timeoutMs,
    )
    if (identifies) {
      const id = responses.pop()
      if (!id?.ok || !dialect.isExpectedChain(id.result)) {
        const found = id?.ok && typeof id.result === 'string' ? id.result.slice(0, 100) : 'something else'
        throw new EndpointError(`${endpoint.name} serves another chain: ${dialect.identify} is ${found}`, 'wrong_chain')
      }
      verified = true
    }
    if (responses.some((response) => !response.ok && RATE_LIMIT_CODES.has(response.error.code))) {
      throw new EndpointError(`${endpoint.name} reports too many requests`, 'limited')
    }
    return responses
  }

  function noteState(requests: readonly RpcRequest[], responses: readonly RpcResponse[]): void {
    const reads = responses.filter((_, index) => dialect.pastState?.isReadBy(requests[index]!))
    if (reads.length === 0) return
    const refusal = reads.find((response) => !response.ok && dialect.pastState?.isMissing(response.error))
    if (refusal === undefined) {
      if (lacksStateUntil > 0) log.info(lasted(lacksStateSince), 'node has the state of past blocks again')
      lacksStateUntil = 0
      return
    }
    if (lacksStateUntil === 0) {
      lacksStateSince = clock.now().getTime()
      const reason = refusal.ok ? '' : refusal.error.message
      log.warn({ endpoint: endpoint.name, reason }, 'node does not keep the state of past blocks')
    }
    lacksStateUntil = clock.now().getTime() + RPC_MISSING_STATE_RETRY_MS
  }

  return {
    name: endpoint.name,
    lacksState: () => lacksStateUntil > clock.now().getTime(),
    mayKeepState() {
      const now = clock.now().getTime()
      return lacksStateUntil <= now && failingSince + RPC_ABSENCE_MS > now
    },
    cooldownUntil: () => coolsDownUntil,
    failedAgain: () => failures > 1,
    health: () => (coolsDownUntil > clock.now().getTime() ? 'resting' : verified ? 'available' : 'unverified'),
    refuse({ method }, response) {
      const reason = response.ok ? '' : response.error.message
      failed(new EndpointError(`${endpoint.name} refuses ${method}: ${reason}`))
    },
    async send(requests, timeoutMs, isRefused = () => false) {
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
        noteState(requests, responses)
        if (responses.some(isRefused)) return responses
        if (failures > 0) log.info({ ...lasted(failingSince), failures }, 'node available again')
        failures = 0
        coolsDownUntil = 0
        return responses
      } catch (error) {
        throw error instanceof EndpointError ? failed(error) : error
      }
    },
  }
}
