import { RPC_READ_TIMEOUT_MS } from '../../kernel/index.ts'
import type { Network } from '../port/networks.ts'
import { dialectOf } from './dialects.ts'
import { createEndpoint, EndpointError } from './endpoint.ts'

/**
 * The endpoints that report another chain than this one, described for an operator. An endpoint that does not respond
 * is not included: it may be right, and is verified again before it is trusted.
 */
export async function findWrongChainEndpoints(network: Network, rpcUrls: readonly string[]): Promise<string[]> {
  const { identify, isExpectedChain } = dialectOf(network)
  const checks = rpcUrls.map(async (url) => {
    const endpoint = createEndpoint({ url, fetch: (to, init) => fetch(to, init) })
    try {
      const [response] = await endpoint.send([{ method: identify, params: [] }], RPC_READ_TIMEOUT_MS)
      return response?.ok && !isExpectedChain(response.result)
        ? [`${endpoint.name} serves another chain: ${identify} is ${String(response.result)}`]
        : []
    } catch (error) {
      if (error instanceof EndpointError) return []
      throw error
    }
  })
  return (await Promise.all(checks)).flat()
}
