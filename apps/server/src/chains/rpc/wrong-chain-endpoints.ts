import type { Network } from '../port/networks.ts'
import { dialectOf } from './dialects.ts'
import { createEndpoint, EndpointError } from './endpoint.ts'
import { READ_TIMEOUT_MS } from './limits.ts'

/**
 * Which of these endpoints say that they serve another chain than this one, in words for an operator. One that does not
 * answer, or does not tell, is not among them: it may be right, and is asked again before it is believed.
 */
export async function findWrongChainEndpoints(network: Network, rpcUrls: readonly string[]): Promise<string[]> {
  const { identify, isExpectedChain } = dialectOf(network)
  const asked = rpcUrls.map(async (url) => {
    const endpoint = createEndpoint({ url, fetch: (to, init) => fetch(to, init) })
    try {
      const [answer] = await endpoint.send([{ method: identify, params: [] }], READ_TIMEOUT_MS)
      return answer?.ok && !isExpectedChain(answer.result)
        ? [`${endpoint.name} serves another chain: ${identify} is ${String(answer.result)}`]
        : []
    } catch (error) {
      if (error instanceof EndpointError) return []
      throw error
    }
  })
  return (await Promise.all(asked)).flat()
}
