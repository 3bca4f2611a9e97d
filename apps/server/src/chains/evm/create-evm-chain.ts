import type { Clock, Log } from '../../kernel/index.ts'
import { assert } from '../../kernel/index.ts'
import { normalizeEvmAddress, normalizeEvmHash } from '../addresses/normalize-address.ts'
import type { EvmChain } from '../port/families.ts'
import type { Network } from '../port/networks.ts'
import { dialectOf } from '../rpc/dialects.ts'
import { createEndpoint, type Fetch } from '../rpc/endpoint.ts'
import { createRpc } from '../rpc/rpc.ts'
import type { RpcObserver } from '../rpc/rpc-observer.ts'
import { block, header } from './blocks/block.ts'
import { genesisHash } from './blocks/genesis.ts'
import { createHeads } from './blocks/heads.ts'
import { createLateReceipts } from './caches/late-receipts.ts'
import { createRefusedPastReads } from './caches/refused-past-reads.ts'
import { createUnsupportedMethods } from './caches/unsupported-methods.ts'
import { EVM_CAPABILITIES } from './capabilities.ts'
import type { EvmContext } from './context.ts'
import { finalNonces, findTransactions } from './history/find-transactions.ts'
import { revertReason } from './history/revert-reason.ts'
import { balances } from './reads/balances.ts'
import { callSucceeds } from './reads/call-succeeds.ts'
import { contractCode } from './reads/contract-code.ts'
import { multicall, multicallAtTime } from './reads/multicall.ts'
import { broadcast } from './sending/broadcast.ts'
import { senderState } from './sending/sender-state.ts'
import { simulate } from './sending/simulate.ts'
import { simulateFunded } from './sending/simulate-funded.ts'
import { checkSigned } from './transactions/check-signed.ts'
import { encode } from './transactions/encode.ts'

export interface EvmChainParts {
  readonly network: Network
  /** In order of preference: a later one is used while the earlier ones are unavailable. */
  readonly rpcUrls: readonly string[]
  readonly log: Log
  readonly clock: Clock
  /** The sandbox's faults, between the adapter and the node. */
  readonly fault?: { readonly fetch: Fetch }
  /** Called for each HTTP request with the endpoint's host; for tests. */
  readonly onRequest?: (endpoint: string) => void
  readonly observer?: RpcObserver | undefined
}

/** The Chain port over an EVM chain's JSON-RPC. Opens nothing: the first call connects. */
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
  const rpc = createRpc({
    endpoints,
    dialect: dialectOf(network),
    clock,
    log,
    blockchain: network.blockchain,
    observer: parts.observer,
  })
  const refusedPastReads = createRefusedPastReads(clock)
  const unsupportedMethods = createUnsupportedMethods(clock)
  const lateReceipts = createLateReceipts(clock)
  const adapter = { unsupportedMethods, refusedPastReads, lateReceipts }
  const context: EvmContext = { network, chainId, rpc, clock, log, ...adapter }
  const heads = createHeads(context)

  return {
    ...EVM_CAPABILITIES,
    network,
    isResting: rpc.isResting,
    normalizeAddress: normalizeEvmAddress,
    normalizeHash: normalizeEvmHash,
    heads,
    block: (number) => block(context, number),
    header: (number) => header(context, number),
    isSkipped: async () => false,
    walletActivity: undefined,
    genesisHash: () => genesisHash(context),
    balances: (queries, at, atLeast) => balances(context, queries, at, atLeast),
    multicall: (calls, at) => multicall(context, calls, at),
    multicallAtTime: (calls, time, at) => multicallAtTime(context, calls, time, at),
    callSucceeds: (from, call) => callSucceeds(context, from, call),
    contractCode: (addresses) => contractCode(context, addresses),
    senderState: (address) => senderState(context, address),
    simulate: (from, calls) => simulate(context, from, calls),
    simulateFunded: (from, funds, calls) => simulateFunded(context, from, funds, calls),
    encode: (plan) => encode(chainId, plan),
    checkSigned: (text, plan) => checkSigned(chainId, text, plan),
    broadcast: (raw) => broadcast(context, raw),
    findTransactions: (hashes) => findTransactions(context, hashes),
    finalNonces: (addresses) => finalNonces(context, addresses, async () => (await heads()).final.number),
    async findLanded() {
      throw new Error('assertion failed: EVM chains have nonces')
    },
    revertReason: (sent) => revertReason(context, sent),
  }
}
