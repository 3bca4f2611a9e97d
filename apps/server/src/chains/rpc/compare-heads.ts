import {
  type Clock,
  Failure,
  havePassed,
  type Log,
  RPC_HEAD_AGE_MAX_MS,
  RPC_HEADS_COMPARE_MS,
  RPC_READ_TIMEOUT_MS,
} from '../../kernel/index.ts'
import { EndpointError } from './endpoint.ts'
import type { Dialect, GuardedEndpoint } from './guarded-endpoint.ts'

interface ComparisonParts {
  readonly dialect: Dialect
  readonly clock: Clock
  readonly log: Log
}

/**
 * Finds nodes that respond and are frozen, or far behind: no request to them fails, and nothing that happens since is
 * seen through them. Only a node's own latest block shows that it lags, never another node's word alone: one that
 * invents blocks puts no healthy one behind it. A chain that makes no blocks leaves all of its nodes as they are.
 */
export function createHeadComparison(endpoints: readonly GuardedEndpoint[], { dialect, clock, log }: ComparisonParts) {
  let comparedAt = clock.now()
  let isComparing = false

  /** How old the latest block is; undefined: the endpoint does not say. */
  async function ageOf(endpoint: GuardedEndpoint): Promise<number | undefined> {
    try {
      const [response] = await endpoint.send([dialect.head.request], RPC_READ_TIMEOUT_MS)
      return response?.ok ? clock.now().getTime() - dialect.head.timeOf(response.result).getTime() : undefined
    } catch (error) {
      // A failed request is logged and counted where every one is.
      if (error instanceof EndpointError || error instanceof Failure) return undefined
      throw error
    }
  }

  async function compare(): Promise<void> {
    const ages = new Map<GuardedEndpoint, number>()
    // In turn, so that what hostile ones send is never read at once.
    for (const endpoint of endpoints.filter((one) => one.health() !== 'resting')) {
      const age = await ageOf(endpoint)
      // A head of the future is invented: nothing is measured by it.
      if (age !== undefined && age > -RPC_HEAD_AGE_MAX_MS) ages.set(endpoint, age)
    }
    const least = Math.min(...ages.values())
    for (const [endpoint, age] of ages) {
      const isOld = age > RPC_HEAD_AGE_MAX_MS && age - least > RPC_HEAD_AGE_MAX_MS
      endpoint.noteLag(isOld ? age - least : 0)
    }
  }

  async function compareInBackground(): Promise<void> {
    try {
      await compare()
    } catch (error) {
      log.error({ err: error }, 'failed to compare the latest blocks of the nodes')
    }
    isComparing = false
  }

  return {
    /** Compares in the background, if there is anything to compare and the last comparison was a while ago. */
    beginIfDue(): void {
      const now = clock.now()
      if (endpoints.length < 2 || isComparing || !havePassed(RPC_HEADS_COMPARE_MS, comparedAt, now)) return
      comparedAt = now
      isComparing = true
      setImmediate(() => void compareInBackground())
    },
  }
}
