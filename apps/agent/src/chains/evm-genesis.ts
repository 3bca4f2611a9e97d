import { servesGenesis } from './chain-identity.ts'
import type { Endpoint } from './endpoint.ts'
import { type Header, isHeader } from './forms.ts'
import { NodeUnavailable } from './port.ts'
import { type Rpc, resultOf } from './rpc.ts'

/** The code of the execution API for what a node has pruned. */
const PRUNED_HISTORY = 4444

/**
 * The hash of block 0, as block 1 names it: after a restart, an embedded chain's block 0 may differ from it. Where no
 * endpoint keeps block 1, or none exists yet, block 0 itself tells.
 */
export async function evmGenesis(rpc: Rpc): Promise<string> {
  const reasons: string[] = []
  const withoutFirst: Endpoint[] = []
  for (const endpoint of rpc.endpoints) {
    const found = await firstParent(endpoint)
    if (typeof found === 'string') return found
    if (found === null) withoutFirst.push(endpoint)
    else reasons.push(found.message)
  }
  for (const endpoint of withoutFirst) {
    const found = await blockZero(endpoint)
    if (typeof found === 'string') return found
    reasons.push(found.message)
  }
  throw new NodeUnavailable(`no endpoint names the first block: ${reasons.join('; ')}`)
}

/** As {@link Node.serves}. Usually the first endpoint decides it. */
export async function evmServes(rpc: Rpc, genesis: string): Promise<boolean> {
  const [first] = rpc.endpoints
  if (first !== undefined && (await firstParent(first)) === genesis) return true
  return servesGenesis(await Promise.all(rpc.endpoints.map(genesisAt)), genesis)
}

async function genesisAt(endpoint: Endpoint): Promise<string | Error> {
  return (await firstParent(endpoint)) ?? (await blockZero(endpoint))
}

/** The parent of block 1; null if the endpoint has no block 1. */
async function firstParent(endpoint: Endpoint): Promise<string | Error | null> {
  const answer = await endpoint.request('eth_getBlockByNumber', ['0x1', false])
  if (!(answer instanceof Error) && isAbsent(answer)) return null
  const header = resultOf<Header>(answer, isHeader)
  return header instanceof Error ? header : header.parentHash
}

const isAbsent = ({ result, error }: { result?: unknown; error?: { code: number } }): boolean =>
  error == null ? result === null : error.code === PRUNED_HISTORY

async function blockZero(endpoint: Endpoint): Promise<string | Error> {
  const header = resultOf<Header>(await endpoint.request('eth_getBlockByNumber', ['0x0', false]), isHeader)
  return header instanceof Error ? header : header.hash
}
