import { Failure, RPC_BATCH_MAX, RPC_READ_TIMEOUT_MS } from '../../kernel/index.ts'
import { createHeadComparison } from './compare-heads.ts'
import { type Endpoint, EndpointError, type RpcRequest, type RpcResponse } from './endpoint.ts'
import { type GuardedEndpoint, guardEndpoint, type RpcEndpoint, type RpcParts } from './guarded-endpoint.ts'
import { isNodeFault, isUnsupportedMethod, lackedByAll, mayLackMethod } from './node-faults.ts'
import { STATE_UNKNOWN } from './past-state.ts'
import type { RpcEndpointStatus } from './rpc-observer.ts'

/** How the verbs call nodes. Calls of the same tick share one HTTP request and are served by one node. */
export interface Rpc {
  /**
   * A call whose error is meaningful. While a node does not serve what is expected, the next one is asked; if none does,
   * the first answer stands. Throws CHAIN_UNAVAILABLE when no endpoint responds.
   */
  tryRequest(method: string, params: readonly unknown[], expected?: Expectation): Promise<RpcResponse>
  /** A call that a healthy node serves: after an error, the next one is asked; CHAIN_UNAVAILABLE if none serves it. */
  request<T>(method: string, params: readonly unknown[]): Promise<T>
  /** The endpoints in the order to try them; those that lag come last but for those in cooldown. */
  endpointsByAvailability(): readonly RpcEndpoint[]
  /** Whether each endpoint failed several times in a row, and rests: the next call would probably wait for nothing. */
  isResting(): boolean
}

interface Expectation {
  /** Whether every healthy node supports the call: one that does not has failed as soon as another one answers. */
  readonly isServable: boolean
  isServed(response: RpcResponse): boolean
  /** Whether the answer is welcome and not needed. */
  readonly isOptional?: boolean
}

interface PendingRequest extends Expectation {
  readonly request: RpcRequest
  resolve(response: RpcResponse): void
  reject(error: unknown): void
}

const isUnsupported = (response: RpcResponse) => !response.ok && isUnsupportedMethod(response.error)
const ANY: Expectation = { isServable: false, isServed: (response) => response.ok || !isNodeFault(response.error) }
const RESULT: Expectation = { isServable: true, isServed: (response) => response.ok }
/**
 * A thing that another node may have although this one lacks it. No node has failed for that: histories differ in length,
 * and have holes.
 */
export const FOUND: Expectation = { isServable: false, isServed: (response) => response.ok && response.result !== null }
/**
 * One node is asked once, apart from everything else of the tick, which the call can neither delay nor fail. If it does not
 * respond, the answer is {@link NO_RESPONSE}, and it serves all the rest as before.
 */
export const OPTIONAL: Expectation = { isServable: false, isServed: () => true, isOptional: true }
export const NO_RESPONSE: RpcResponse = {
  ok: false,
  error: { code: 0, message: 'the node does not respond to this call', data: undefined },
}

/**
 * Failover without ranking: the first URL serves until it fails, then cools down for a while. Reads of past state that a
 * node does not keep go to the next one; that node then serves such reads last. Its refusal stands only if each other
 * node refused too, or stopped responding long ago. A node that refuses what every healthy node serves has failed as soon
 * as another one serves it; what all of them refuse is the fault of the call, and its first answer stands. One whose
 * blocks are old, while another has recent ones, serves last.
 */
export function createRpc(parts: RpcParts & { readonly endpoints: readonly Endpoint[] }): Rpc {
  const {
    clock,
    dialect: { pastState },
  } = parts
  const guarded = parts.endpoints.map((endpoint) => guardEndpoint(endpoint, parts))
  parts.observer?.watch(parts.blockchain, () => guarded.map(statusOf))
  const comparison = createHeadComparison(guarded, parts)
  let waiting: PendingRequest[] = []

  function endpointsByAvailability(): GuardedEndpoint[] {
    const now = clock.now().getTime()
    const rank = ({ cooldownUntil, lags }: GuardedEndpoint) =>
      cooldownUntil() > now ? cooldownUntil() : Number(lags())
    return [...guarded].sort((one, other) => rank(one) - rank(other))
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
    const mayLack = (response: RpcResponse, index: number) => mayLackMethod(requests[index]!, response)
    const isRefused = (response: RpcResponse, index: number) =>
      !isForgotten(response) &&
      (!batch[index]!.isServed(response) || (mayLack(response, index) && !isUnsupported(response)))
    const isFailure = (response: RpcResponse, index: number) =>
      isRefused(response, index) && batch[index]!.isServable && !pastState?.isReadBy(requests[index]!)

    const findServedButForExtras = () =>
      refusing.find(({ responses }) => responses.every((one, at) => !batch[at]!.isServable || !isRefused(one, at)))

    for (const endpoint of endpointsFor(requests)) {
      // An endpoint that served all that counts need not wait for one that does not respond.
      if (findServedButForExtras() && endpoint.health() === 'resting') continue
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
    const sufficient = served ?? forgotten ?? findServedButForExtras()?.responses
    let refused: RpcResponse[] | undefined
    for (const { endpoint, responses } of refusing) {
      const failure = responses.findIndex((one, at) => sufficient?.[at]?.ok === true && isFailure(one, at))
      if (failure === -1) refused ??= responses
      else {
        endpoint.refuse(requests[failure]!, responses[failure]!)
        failed.push(endpoint)
      }
    }
    if (served !== undefined) return served
    const answer = refused ?? forgotten
    if (answer === undefined) throw new Failure('CHAIN_UNAVAILABLE', { cause: new Error(reasons.join('; ')) })
    const mayBeKept = failed.some((endpoint) => endpoint.mayKeepState())
    const isLackedByAll = (one: RpcResponse, at: number) =>
      mayLack(one, at) &&
      refusing.length === guarded.length &&
      refusing.every(({ responses }) => mayLack(responses[at]!, at))
    return answer.map((one, at) =>
      mayBeKept && isForgotten(one) ? STATE_UNKNOWN : isLackedByAll(one, at) ? lackedByAll(one) : one,
    )
  }

  async function deliverOptional(batch: readonly PendingRequest[]): Promise<RpcResponse[]> {
    const requests = batch.map(({ request }) => request)
    try {
      return await endpointsFor(requests)[0]!.sendOptional(requests, RPC_READ_TIMEOUT_MS)
    } catch (error) {
      if (!(error instanceof EndpointError)) throw error
      return batch.map(() => NO_RESPONSE)
    }
  }

  function flush(): void {
    // A node may refuse a whole batch because of one method.
    const batches = Map.groupBy(waiting, ({ isOptional, request }) => (isOptional ? request.method : ''))
    waiting = []
    for (const [optional, all] of batches) flushAll(all, optional === '' ? deliver : deliverOptional)
  }

  function flushAll(all: readonly PendingRequest[], send: typeof deliver): void {
    for (let from = 0; from < all.length; from += RPC_BATCH_MAX) {
      const part = all.slice(from, from + RPC_BATCH_MAX)
      send(part)
        .then(
          (responses) => {
            for (const [index, response] of responses.entries()) part[index]?.resolve(response)
          },
          (error: unknown) => {
            for (const { reject } of part) reject(error)
          },
        )
        // Afterwards, because an endpoint that fails this delivery rests, and need not fail again at once.
        .finally(comparison.beginIfDue)
    }
  }

  function ask(request: RpcRequest, expected: Expectation): Promise<RpcResponse> {
    return new Promise((resolve, reject) => {
      // After the microtasks of this tick, so that verbs that start together share the request.
      if (waiting.push({ request, ...expected, resolve, reject }) === 1) setImmediate(flush)
    })
  }

  return {
    endpointsByAvailability,
    isResting: () => guarded.every((endpoint) => endpoint.failedAgain() && endpoint.health() === 'resting'),
    tryRequest: (method, params, expected = ANY) => ask({ method, params }, expected),
    async request<T>(method: string, params: readonly unknown[]) {
      const response = await ask({ method, params }, RESULT)
      if (response.ok) return response.result as T
      throw requestRejected(method, response.error.message)
    },
  }
}

/** A node that cannot serve a valid request is as good as no node. */
export function requestRejected(method: string, reason: string): Failure {
  return new Failure('CHAIN_UNAVAILABLE', { cause: new Error(`${method}: ${reason}`) })
}

function statusOf({ name, health, lacksState }: GuardedEndpoint): RpcEndpointStatus {
  return { name, health: health(), lacksState: lacksState() }
}
