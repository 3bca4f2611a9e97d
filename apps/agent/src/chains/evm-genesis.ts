import { servesGenesis } from './chain-identity.ts'
import type { Endpoint } from './endpoint.ts'
import { NodeUnavailable } from './port.ts'
import type { Rpc } from './rpc.ts'

interface Header {
  readonly hash: string
  readonly parentHash: string
}

/** The hash of block 0, as block 1 names it: after a restart, an embedded chain's block 0 may differ from it. */
export async function evmGenesis(rpc: Rpc): Promise<string> {
  const reasons: string[] = []
  for (const endpoint of rpc.endpoints) {
    const found = await genesisAt(endpoint)
    if (!(found instanceof Error)) return found
    reasons.push(found.message)
  }
  throw new NodeUnavailable(`no endpoint names the first block: ${reasons.join('; ')}`)
}

/** As {@link Node.serves}. Usually the first endpoint decides it. */
export async function evmServes(rpc: Rpc, genesis: string): Promise<boolean> {
  const [first] = rpc.endpoints
  if (first !== undefined && (await genesisAt(first)) === genesis) return true
  return servesGenesis(await Promise.all(rpc.endpoints.map(genesisAt)), genesis)
}

async function genesisAt(endpoint: Endpoint): Promise<string | Error> {
  const answer = await endpoint.request('eth_getBlockByNumber', ['0x1', false])
  if (answer instanceof Error) return answer
  if (answer.error != null) return new Error(answer.error.message)
  return (answer.result as Header).parentHash
}
