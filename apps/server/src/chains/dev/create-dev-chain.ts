import { createOutageLogs, DELAY_BLOCK_INTERVAL_MS, type Log } from '../../kernel/index.ts'
import type { Fetch } from '../rpc/endpoint.ts'
import { type ChainClock, createChainClock } from './chain-clock.ts'
import { createDevNode } from './dev-node.ts'
import { createFaultLayer } from './fault-layer.ts'
import { type ChainFault, createFaults } from './faults.ts'
import type { JsonRpcRequest } from './json-rpc.ts'
import { createOrderedNode } from './ordered-node.ts'
import { createReadWriteLock, type Heartbeat, lockWithHeartbeat } from './read-write-lock.ts'
import { createRpcProxy, type RpcProxy } from './rpc-proxy.ts'

export interface DevChainParts {
  readonly url: string
  readonly isRegistered: (address: string) => Promise<boolean>
  readonly log: Log
  /** The chain's own interval mining, which pauses during exclusive work. */
  readonly heartbeat?: Heartbeat
}

/** A development chain as the sandbox controls it: faults, clock and proxy around any anvil. */
export interface DevChain extends ChainClock {
  /** For `createEvmChain`: the service's own path to the node, through the faults. */
  readonly fault: { readonly fetch: Fetch }
  /** For the treasury's `createEvmChain`: bypasses the faults, but still waits for exclusive work. */
  readonly withoutFaults: { readonly fetch: Fetch }
  /** Replaces the fault's remaining count; 0 ends it. A chain that another process runs responds later. */
  setFault(fault: ChainFault, count: number): void | Promise<void>
  remainingFaults(fault: ChainFault): number | Promise<number>
  /** Runs work that changes the chain by another path, while nobody else reads or mines. */
  exclusive<T>(work: () => Promise<T>): Promise<T>
  /** For outside clients: public methods only, through the same faults. */
  readonly proxy: RpcProxy
  /** Stops mining for delayed transactions and drops them. */
  close(): Promise<void>
}

export function createDevChain(parts: DevChainParts): DevChain {
  const { log } = parts
  const node = createDevNode(parts.url)
  const gate = parts.heartbeat ? lockWithHeartbeat(createReadWriteLock(), parts.heartbeat) : createReadWriteLock()
  const ordered = createOrderedNode(node, gate)
  const faults = createFaults()
  let mining: Promise<void> | undefined
  let closed = false
  const failures = createOutageLogs(log, {
    away: 'delay_next: the chain did not mine',
    back: 'delay_next: the chain mines again',
  })

  const layer = createFaultLayer({
    node,
    ordered,
    gate,
    faults,
    log,
    isRegistered: parts.isRegistered,
    onDelayed() {
      mining ??= mineWhileHeld().finally(() => {
        mining = undefined
      })
    },
  })

  async function mineWhileHeld(): Promise<void> {
    while (layer.delayed.size > 0 && !closed) {
      await new Promise((resolve) => setTimeout(resolve, DELAY_BLOCK_INTERVAL_MS))
      try {
        await ordered.batch([['evm_mine']])
        await layer.release(Number(await node.request<string>('eth_blockNumber')))
        failures.recovered({})
      } catch (error) {
        failures.failed({}, { err: error })
      }
    }
  }

  const faulty: Fetch = async (url, init) => {
    if (faults.consume('rpc_down')) throw new TypeError('sandbox: rpc_down')
    const body = String(init.body)
    if (layer.isTransparent(body)) return ordered.fetch(url, init)
    const requests = JSON.parse(body) as JsonRpcRequest[]
    return Response.json(await layer.exchange(requests, { isService: true }))
  }

  return {
    fault: { fetch: faulty },
    withoutFaults: { fetch: ordered.fetch },
    setFault: faults.set,
    remainingFaults: faults.remaining,
    exclusive: gate.exclusive,
    proxy: createRpcProxy({ layer, isDown: () => faults.remaining('rpc_down') > 0 }),
    ...createChainClock(node, gate),
    async close() {
      closed = true
      await mining
    },
  }
}
