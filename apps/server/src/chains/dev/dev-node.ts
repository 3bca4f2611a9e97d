import { DEV_NODE_TIMEOUT_MS } from '../../kernel/index.ts'
import type { JsonRpcOutcome } from './json-rpc.ts'

/** The node itself, behind the faults; only for the internals of development chains. */
export interface DevNode {
  /** Sends all requests in one HTTP request; outcomes in request order. Throws when the node is unavailable. */
  batch(requests: readonly (readonly [method: string, ...params: unknown[]])[]): Promise<JsonRpcOutcome[]>
  /** Throws with the node's message when it refuses. */
  request<T>(method: string, ...params: unknown[]): Promise<T>
}

export function createDevNode(url: string): DevNode {
  const node: DevNode = {
    async batch(requests) {
      if (requests.length === 0) return []
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(requests.map(([method, ...params], id) => ({ jsonrpc: '2.0', id, method, params }))),
        signal: AbortSignal.timeout(DEV_NODE_TIMEOUT_MS),
      })
      const responses = (await response.json()) as ({ id: number } & JsonRpcOutcome)[]
      const byId = new Map(responses.map(({ id, ...outcome }) => [id, outcome as JsonRpcOutcome]))
      return requests.map(([method], id) => {
        const outcome = byId.get(id)
        if (!outcome) throw new Error(`${method}: no response from the node`)
        return outcome
      })
    },
    async request<T>(method: string, ...params: unknown[]) {
      const [outcome] = await node.batch([[method, ...params]])
      if (outcome && 'result' in outcome) return outcome.result as T
      throw new Error(`${method}: ${outcome?.error.message}`)
    },
  }
  return node
}
