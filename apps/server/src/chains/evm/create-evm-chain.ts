import type { Clock, Log } from '../../kernel/index.ts'
import { assert } from '../../kernel/index.ts'
import { normalizeEvmAddress, normalizeEvmHash } from '../address.ts'
import type { EvmChain } from '../families.ts'
import type { Network } from '../networks.ts'
import { dialectOf } from '../rpc/dialects.ts'
import { createEndpoint, type Fetch } from '../rpc/endpoint.ts'
import { createRpc } from '../rpc/rpc.ts'
import { balances } from './balances.ts'
import { block } from './block.ts'
import { broadcast } from './broadcast.ts'
import { checkSigned } from './check-signed.ts'
import type { EvmContext } from './context.ts'
import { encode, networkFee } from './encode.ts'
import { genesisHash } from './genesis.ts'
import { createHeads } from './heads.ts'
import { finalNonces, lookUp } from './look-up.ts'
import { read, readAsOf } from './read.ts'
import { revertReason } from './reason.ts'
import { sender } from './sender.ts'
import { simulate } from './simulate.ts'

export interface EvmChainParts {
  readonly network: Network
  /** In order of preference: a later one is asked while the earlier ones do not answer. */
  readonly rpcUrls: readonly string[]
  readonly log: Log
  readonly clock: Clock
  /** The sandbox's faults, between the adapter and the node. */
  readonly fault?: { readonly fetch: Fetch }
  /** Told of each HTTP request, with the endpoint's host; for metrics and tests. */
  readonly onRequest?: (endpoint: string) => void
}

/** The Chain port on the JSON-RPC of an EVM chain. Opens nothing: the first call connects. */
export function createEvmChain(parts: EvmChainParts): EvmChain {
  const { network, clock } = parts
  const { chainId } = network
  assert(chainId !== undefined, `network ${network.blockchain} has no chain id`)
  assert(parts.rpcUrls.length > 0, `network ${network.blockchain} has no RPC endpoint`)
  const log = parts.log.child({ blockchain: network.blockchain })
  const fetchIt: Fetch = parts.fault?.fetch ?? ((url, init) => fetch(url, init))
  const endpoints = parts.rpcUrls.map((url) =>
    createEndpoint({ url, fetch: fetchIt, ...(parts.onRequest && { onRequest: parts.onRequest }) }),
  )
  const rpc = createRpc({ endpoints, dialect: dialectOf(network), clock, log })
  const context: EvmContext = { network, chainId, rpc, clock, log, lacking: new Set() }
  const heads = createHeads(context)

  return {
    network,
    normalizeAddress: normalizeEvmAddress,
    normalizeHash: normalizeEvmHash,
    heads,
    block: (number) => block(context, number),
    genesisHash: () => genesisHash(context),
    balances: (asked, at) => balances(context, asked, at),
    read: (calls, at) => read(context, calls, at),
    readAsOf: (calls, time, at) => readAsOf(context, calls, time, at),
    sender: (address) => sender(context, address),
    simulate: (from, calls) => simulate(context, from, calls),
    networkFee,
    encode: (plan) => encode(chainId, plan),
    checkSigned: (text, plan) => checkSigned(chainId, text, plan),
    broadcast: (raw) => broadcast(context, raw),
    lookUp: (hashes) => lookUp(context, hashes),
    finalNonces: (addresses) => finalNonces(context, addresses, async () => (await heads()).final.number),
    revertReason: (sent) => revertReason(context, sent),
  }
}
