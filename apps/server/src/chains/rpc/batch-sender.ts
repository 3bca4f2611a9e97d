import {
  type Clock,
  havePassed,
  type Log,
  RPC_BATCH_MAX,
  RPC_BATCH_PARTS_TIMEOUTS_MAX,
  RPC_BATCH_SIZE_RETRY_MS,
} from '../../kernel/index.ts'
import { BatchRefused, EndpointError, type RpcRequest, type RpcResponse } from './endpoint.ts'

/** What goes into one HTTP request. */
export interface Part {
  readonly requests: readonly RpcRequest[]
  /** Whether it also identifies the chain, by one more call. */
  readonly identifies: boolean
}

interface BatchSenderParts {
  /** Host and port. */
  readonly endpoint: string
  readonly clock: Clock
  /** Measures how long the parts of a batch take together. */
  readonly monotonicMs?: (() => number) | undefined
  readonly log: Log
  /** The method that sends a transaction. */
  readonly sends: string
  isVerified(): boolean
  /** Sends one HTTP request. Throws EndpointError. */
  attempt(part: Part, timeoutMs: number): Promise<RpcResponse[]>
}

/**
 * Sends requests in one batch; to an endpoint that refuses that many at once, in smaller ones, one after the other.
 * Responses in request order. Only an answer to reads makes batches smaller: a transaction goes out once, and a node that
 * does not respond is not asked again and again. Throws EndpointError.
 */
export function createBatchSender(parts: BatchSenderParts) {
  const { endpoint, clock, monotonicMs = () => performance.now(), log, sends, isVerified, attempt } = parts
  const size = createBatchSize(endpoint, { clock, log })

  /** Servers close idle connections, sometimes during a request. Whether to send again is the sender's decision. */
  async function retried(part: Part, timeoutMs: number, isRead: boolean): Promise<RpcResponse[]> {
    try {
      return await attempt(part, timeoutMs)
    } catch (error) {
      if (isRead && error instanceof EndpointError && error.kind === 'lost') return await attempt(part, timeoutMs)
      throw error
    }
  }

  return async (requests: readonly RpcRequest[], timeoutMs: number): Promise<RpcResponse[]> => {
    const isRead = !requests.some(({ method }) => method === sends)
    const deadline = monotonicMs() + timeoutMs * RPC_BATCH_PARTS_TIMEOUTS_MAX
    const responses: RpcResponse[] = []
    let most = size.most()
    let refused: number | undefined
    do {
      const identifies = !isVerified()
      const end = responses.length + most - Number(identifies)
      const part = { requests: requests.slice(responses.length, end), identifies }
      const calls = part.requests.length + Number(identifies)
      const leftMs = Math.ceil(deadline - monotonicMs())
      if (leftMs <= 0) throw new EndpointError(`${endpoint} takes too long for a batch in parts`, 'timeout')
      try {
        responses.push(...(await retried(part, Math.min(timeoutMs, leftMs), isRead)))
        size.taken(calls)
      } catch (error) {
        // An endpoint that took as many a short while ago has another trouble.
        if (!(error instanceof BatchRefused) || !isRead || calls <= Math.max(1, size.mostTaken())) throw error
        refused = calls
        most = Math.floor(calls / 2)
      }
    } while (responses.length < requests.length)
    if (refused !== undefined) size.learn(most, refused)
    return responses
  }
}

/** Providers change their limits, and an answer during an outage can look like a refusal: a size is kept for a while. */
function createBatchSize(endpoint: string, { clock, log }: Pick<BatchSenderParts, 'clock' | 'log'>) {
  let learned: { readonly calls: number; readonly at: Date } | undefined
  let logged = Number.POSITIVE_INFINITY
  let largest = { calls: 0, at: new Date(0) }

  function most(): number {
    if (learned !== undefined && havePassed(RPC_BATCH_SIZE_RETRY_MS, learned.at, clock.now())) learned = undefined
    return learned?.calls ?? RPC_BATCH_MAX
  }

  const mostTaken = () => (havePassed(RPC_BATCH_SIZE_RETRY_MS, largest.at, clock.now()) ? 0 : largest.calls)

  return {
    /** The most calls that it took in one request within the time for which a size is kept. */
    mostTaken,
    taken(calls: number): void {
      if (calls >= mostTaken()) largest = { calls, at: clock.now() }
    },
    /** The most calls of the next request, the one that identifies the chain included. */
    most,
    /** The endpoint took batches of so many calls after it refused larger ones. */
    learn(calls: number, refused: number): void {
      const known = most()
      // A batch that is smaller as a whole may be halved to less than another one was.
      const best = known < refused ? Math.max(known, calls) : calls
      learned = { calls: best, at: clock.now() }
      if (best < logged) {
        log.info({ endpoint }, `node takes batches of at most ${best} ${best === 1 ? 'call' : 'calls'}`)
        logged = best
      }
    },
  }
}
