import type { Log } from '../../kernel/index.ts'
import type { Fetch } from '../rpc/endpoint.ts'
import type { DevHead } from './chain-clock.ts'
import type { DevChain } from './create-dev-chain.ts'
import { createDevNode } from './dev-node.ts'
import { createFaults } from './faults.ts'
import type { JsonRpcRequest } from './json-rpc.ts'
import { createRpcProxy } from './rpc-proxy.ts'
import { createSolanaFaultLayer, type SolanaFault } from './solana-fault-layer.ts'

/** Methods that public Solana nodes offer and the embedded one supports. */
const ALLOWED = new Set([
  'getAccountInfo',
  'getBalance',
  'getBlock',
  'getBlockHeight',
  'getBlockTime',
  'getBlocks',
  'getBlocksWithLimit',
  'getEpochInfo',
  'getFeeForMessage',
  'getFirstAvailableBlock',
  'getGenesisHash',
  'getHealth',
  'getLatestBlockhash',
  'getMinimumBalanceForRentExemption',
  'getMultipleAccounts',
  'getRecentPrioritizationFees',
  'getSignatureStatuses',
  'getSignaturesForAddress',
  'getSlot',
  'getTokenAccountBalance',
  'getTokenAccountsByOwner',
  'getTokenSupply',
  'getTransaction',
  'getTransactionCount',
  'getVersion',
  'isBlockhashValid',
  'sendTransaction',
  'simulateTransaction',
])

interface SolanaBlockTime {
  readonly number: number
  /** Unix seconds. */
  readonly timestamp: number
}

/** Controls of the embedded chain, besides its RPC. */
export interface SolanaControls {
  readonly url: string
  mine(blocks: number): Promise<SolanaBlockTime>
  increaseTime(seconds: number): Promise<SolanaBlockTime>
  setTime(time: number): Promise<SolanaBlockTime>
  injectFault(signature: string, strike: SolanaFault): Promise<void>
}

export interface SolanaDevChainParts {
  readonly controls: SolanaControls
  readonly isRegistered: (address: string) => Promise<boolean>
  readonly log: Log
}

/** The embedded Solana chain as the sandbox controls it: faults, clock and proxy around it. */
export function createSolanaDevChain({ controls, isRegistered, log }: SolanaDevChainParts): DevChain {
  const node = createDevNode(controls.url)
  const faults = createFaults()
  const layer = createSolanaFaultLayer({ node, faults, isRegistered, injectFault: controls.injectFault, log })

  const faulty: Fetch = async (url, init) => {
    if (faults.consume('rpc_down')) throw new TypeError('sandbox: rpc_down')
    const body = String(init.body)
    if (layer.isTransparent(body)) return fetch(url, init)
    return Response.json(await layer.exchange(JSON.parse(body) as JsonRpcRequest[]))
  }

  async function head(): Promise<DevHead> {
    const slot = await node.request<number>('getSlot')
    const time = await node.request<number>('getBlockTime', slot)
    return { number: slot, time: new Date(time * 1_000) }
  }

  return {
    fault: { fetch: faulty },
    withoutFaults: { fetch: (url, init) => fetch(url, init) },
    setFault: faults.set,
    remainingFaults: faults.remaining,
    exclusive: (work) => work(),
    proxy: createRpcProxy({ layer, isDown: () => faults.remaining('rpc_down') > 0, allowed: ALLOWED }),
    head,
    mine: async (blocks) => toHead(await controls.mine(blocks)),
    increaseTime: async (seconds) => toHead(await controls.increaseTime(seconds)),
    async mineAt(time) {
      try {
        return toHead(await controls.setTime(Math.floor(time.getTime() / 1_000)))
      } catch {
        // The clock keeps running and may have passed that time already; then any block will do.
        return toHead(await controls.mine(1))
      }
    },
    close: async () => {},
  }
}

function toHead({ number, timestamp }: SolanaBlockTime): DevHead {
  return { number, time: new Date(timestamp * 1_000) }
}
