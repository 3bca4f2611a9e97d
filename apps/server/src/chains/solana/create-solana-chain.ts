import { base58 } from '@scure/base'
import { assert, type Clock, type Log } from '../../kernel/index.ts'
import { normalizeAddress } from '../addresses/normalize-address.ts'
import type { SvmChain } from '../port/families.ts'
import type { Network } from '../port/networks.ts'
import { dialectOf } from '../rpc/dialects.ts'
import { createEndpoint, type Fetch } from '../rpc/endpoint.ts'
import { createHighestHead } from '../rpc/highest-head.ts'
import { createRpc } from '../rpc/rpc.ts'
import type { RpcObserver } from '../rpc/rpc-observer.ts'
import { createHeads } from './blocks/heads.ts'
import { createBlockBalanceHistory } from './caches/balance-history.ts'
import { createBlockCache } from './caches/block-cache.ts'
import { SOLANA_CAPABILITIES } from './capabilities.ts'
import type { SolanaContext } from './context.ts'
import { decodeTransactionError, type ProgramErrors } from './errors/transaction-errors.ts'
import { DEFAULT_PRIORITY_FEES, type PriorityFeePolicy } from './fees/priority-fee.ts'
import { findLanded } from './history/find-landed.ts'
import { findTransactions } from './history/find-transactions.ts'
import { createListWitnesses } from './history/list-witness.ts'
import { createWalletActivity } from './history/wallet-activity.ts'
import { readAccounts, readAccountsSince } from './reads/accounts.ts'
import { balances } from './reads/balances.ts'
import { programDeployments } from './reads/program-deployments.ts'
import { broadcast } from './sending/broadcast.ts'
import { senderState } from './sending/sender-state.ts'
import { simulate } from './sending/simulate.ts'
import { checkSigned } from './transactions/check-signed.ts'
import { encode } from './transactions/encode.ts'

export interface SolanaChainParts {
  readonly network: Network
  /** In order of preference: a later one is used while the earlier ones are unavailable. */
  readonly rpcUrls: readonly string[]
  readonly log: Log
  readonly clock: Clock
  /** Descriptions of the numeric errors of the venues' programs. */
  readonly programErrors?: ProgramErrors
  /** The approximate time between two slots; default 400. */
  readonly slotMs?: number
  /** Accounts for which other traders of the same markets bid too; their fees determine the priority fee. */
  readonly busyAccounts?: readonly string[]
  /** What to offer per compute unit, compared with other offers; default {@link DEFAULT_PRIORITY_FEES}. */
  readonly priorityFees?: PriorityFeePolicy
  /** The sandbox's faults, between the adapter and the node. */
  readonly fault?: { readonly fetch: Fetch }
  /** Called for each HTTP request with the endpoint's host; for tests. */
  readonly onRequest?: (endpoint: string) => void
  readonly observer?: RpcObserver | undefined
}

/** The Chain port over Solana's JSON-RPC. Opens nothing: the first call connects. */
export function createSolanaChain(parts: SolanaChainParts): SvmChain {
  const { network, clock } = parts
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
  const blocks = createBlockCache(rpc)
  const byWallets = network.follow === 'wallets' ? createWalletActivity({ rpc, blocks, clock }) : undefined
  const context: SolanaContext = {
    network,
    rpc,
    clock,
    log,
    final: network.finality === 'tag' ? 'finalized' : 'confirmed',
    blocks,
    highest: { confirmed: createHighestHead(clock), finalized: createHighestHead(clock) },
    history: byWallets?.history ?? createBlockBalanceHistory(blocks),
    // Where blocks are read whole, none of their transactions can be missing in a list.
    listWitness: byWallets ? createListWitnesses({ rpc, blocks }) : async () => undefined,
    programErrors: parts.programErrors ?? new Map(),
    slotMs: parts.slotMs ?? 400,
    busyAccounts: parts.busyAccounts ?? [],
    priorityFees: parts.priorityFees ?? DEFAULT_PRIORITY_FEES,
  }
  const heads = createHeads(context)

  return {
    ...SOLANA_CAPABILITIES,
    network,
    isResting: rpc.isResting,
    normalizeAddress: (text) => normalizeAddress('solana', text),
    normalizeHash: normalizeSignature,
    heads,
    block: (slot) => blocks.block(slot),
    genesisHash: () => rpc.request<string>('getGenesisHash', []),
    balances: (queries, at, atLeast) => balances(context, queries, at, atLeast),
    async accounts(addresses, at) {
      const readings =
        at === undefined
          ? await readAccounts(context, addresses, 'confirmed')
          : await readAccountsSince(context, addresses, at)
      return readings.map(({ account }) => account?.data)
    },
    programDeployments: (programs) => programDeployments(context, programs),
    header: (slot) => blocks.header(slot),
    isSkipped: (slot) => blocks.isSkipped(slot),
    walletActivity: byWallets?.activity,
    findLanded: (address, transactionIds, asOf) => findLanded(context, address, transactionIds, asOf),
    senderState: (address) => senderState(context, address),
    simulate: (from, calls) => simulate(context, from, calls),
    encode,
    checkSigned,
    broadcast: (raw, lastValidBlockHeight) => broadcast(context, raw, lastValidBlockHeight ?? undefined),
    findTransactions: (hashes) => findTransactions(context, hashes),
    async finalNonces() {
      throw new Error('assertion failed: Solana has no nonces')
    },
    async revertReason(sent) {
      assert(sent.family === 'svm', 'a Solana transaction')
      return sent.succeeded
        ? undefined
        : decodeTransactionError(sent.error, sent.programLogs, context.programErrors).reason
    },
  }
}

/** A signature: base58 of 64 bytes, which has only one spelling; `undefined` when malformed. */
function normalizeSignature(text: string): string | undefined {
  if (!/^[1-9A-HJ-NP-Za-km-z]{64,88}$/.test(text)) return undefined
  return base58.decode(text).length === 64 ? text : undefined
}
