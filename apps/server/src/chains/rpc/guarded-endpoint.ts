import {
  type Clock,
  inSpan,
  type Log,
  RPC_ABSENCE_MS,
  RPC_ENDPOINT_COOLDOWN_MS,
  RPC_MISSING_STATE_RETRY_MS,
} from '../../kernel/index.ts'
import { isRateLimit } from './batch-refusal.ts'
import { createBatchSender, type Part } from './batch-sender.ts'
import { type Endpoint, EndpointError, type RpcError, type RpcRequest, type RpcResponse } from './endpoint.ts'
import type { RpcEndpointHealth, RpcObserver, RpcOutcome } from './rpc-observer.ts'
import { rpcSpan } from './rpc-span.ts'

/** An endpoint that is verified to serve the right chain and tracks its failures. */
export interface RpcEndpoint {
  readonly name: string
  send(requests: readonly RpcRequest[], timeoutMs: number): Promise<RpcResponse[]>
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
  /** A request for the node's latest block or clock, and its time. Error of `timeOf`: CHAIN_UNAVAILABLE. */
  readonly head: {
    readonly request: RpcRequest
    timeOf(result: unknown): Date
  }
}

/** What the endpoints of a chain share. */
export interface RpcParts {
  readonly dialect: Dialect
  readonly clock: Clock
  /** Measures how long the parts of a batch take together. */
  readonly monotonicMs?: (() => number) | undefined
  readonly log: Log
  readonly blockchain: string
  readonly observer?: RpcObserver | undefined
}

export interface GuardedEndpoint extends RpcEndpoint {
  /** A response that is refused does not end a rest, and does not count as a failure yet. */
  send(
    requests: readonly RpcRequest[],
    timeoutMs: number,
    isRefused?: (response: RpcResponse, index: number) => boolean,
  ): Promise<RpcResponse[]>
  /** Sends what is welcome and not needed: that it fails does not count. Throws {@link EndpointError}. */
  sendOptional(requests: readonly RpcRequest[], timeoutMs: number): Promise<RpcResponse[]>
  /** It refused a request that another node serves: a failure. */
  refuse(request: RpcRequest, response: RpcResponse): void
  /** Whether it recently refused to read the state of a past block, because it does not keep it. */
  lacksState(): boolean
  /** Of one that failed: whether it may keep the state of past blocks, and respond again soon. */
  mayKeepState(): boolean
  /** Whether it responds, with blocks that are old, while another endpoint has recent ones. */
  lags(): boolean
  /** Its latest block is that much older than the latest of the other endpoints; 0: it is recent. */
  noteLag(behindMs: number): void
  health(): RpcEndpointHealth
  /** Whether it failed more than once since it last responded. */
  failedAgain(): boolean
  cooldownUntil(): number
}

/**
 * The first request also identifies the chain, at no extra cost: without that, an endpoint of another chain would be
 * trusted in everything.
 */
export function guardEndpoint(
  endpoint: Endpoint,
  { dialect, clock, monotonicMs, log, blockchain, observer }: RpcParts,
): GuardedEndpoint {
  const identification = { method: dialect.identify, params: [] }
  let verified = false
  let failures = 0
  let coolsDownUntil = 0
  let lacksStateUntil = 0
  let lacksStateSince = 0
  let failingSince = 0
  let laggingSince: number | undefined
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
  function attempt(part: Part, timeoutMs: number): Promise<RpcResponse[]> {
    return inSpan(
      () => rpcSpan(blockchain, endpoint.name, part.requests.length > 0 ? part.requests : [identification]),
      async (span) => {
        try {
          return await measured(part, timeoutMs)
        } catch (error) {
          if (error instanceof EndpointError) span.fail(error.kind)
          throw error
        }
      },
    )
  }

  async function measured(part: Part, timeoutMs: number): Promise<RpcResponse[]> {
    if (observer === undefined) return await exchange(part, timeoutMs)
    const begun = performance.now()
    const report = (outcome: RpcOutcome) => {
      const seconds = (performance.now() - begun) / 1_000
      observer.requested({ blockchain, endpoint: endpoint.name, outcome, seconds })
    }
    try {
      const responses = await exchange(part, timeoutMs)
      report('ok')
      return responses
    } catch (error) {
      report(error instanceof EndpointError ? error.kind : 'bad')
      throw error
    }
  }

  // Another exchange may verify the endpoint meanwhile; this one still has the extra response.
  async function exchange({ requests, identifies }: Part, timeoutMs: number): Promise<RpcResponse[]> {
    const responses = await endpoint.send(identifies ? [...requests, identification] : requests, timeoutMs)
    if (identifies) {
      const id = responses.pop()
      if (!id?.ok || !dialect.isExpectedChain(id.result)) {
        const found = id?.ok && typeof id.result === 'string' ? id.result.slice(0, 100) : 'something else'
        throw new EndpointError(`${endpoint.name} serves another chain: ${dialect.identify} is ${found}`, 'wrong_chain')
      }
      verified = true
    }
    if (responses.some((response) => !response.ok && isRateLimit(response.error.code))) {
      throw new EndpointError(`${endpoint.name} reports too many requests`, 'limited')
    }
    return responses
  }

  const sendBatch = createBatchSender({
    endpoint: endpoint.name,
    clock,
    monotonicMs,
    log,
    sends: dialect.send,
    isVerified: () => verified,
    attempt,
  })

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
    lags: () => laggingSince !== undefined,
    noteLag(behindMs) {
      if (behindMs > 0 && laggingSince === undefined) {
        laggingSince = clock.now().getTime()
        log.warn({ endpoint: endpoint.name, seconds: Math.round(behindMs / 1_000) }, 'node lags behind')
      } else if (behindMs === 0 && laggingSince !== undefined) {
        log.info(lasted(laggingSince), 'node has recent blocks again')
        laggingSince = undefined
      }
    },
    health() {
      if (coolsDownUntil > clock.now().getTime()) return 'resting'
      if (laggingSince !== undefined) return 'lagging'
      return verified ? 'available' : 'unverified'
    },
    refuse({ method }, response) {
      const reason = response.ok ? 'its result is incomplete' : response.error.message
      failed(new EndpointError(`${endpoint.name} refuses ${method}: ${reason}`))
    },
    async sendOptional(requests, timeoutMs) {
      const responses = await sendBatch(requests, timeoutMs)
      noteState(requests, responses)
      return responses
    },
    async send(requests, timeoutMs, isRefused = () => false) {
      try {
        const responses = await sendBatch(requests, timeoutMs)
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
