import type { Fetch } from '../rpc/endpoint.ts'
import type { DevNode } from './dev-node.ts'
import { type JsonRpcOutcome, type JsonRpcRequest, respond } from './json-rpc.ts'
import type { ReadWriteLock } from './read-write-lock.ts'
import { createTurns } from './take-turns.ts'
import { untilIncluded } from './until-included.ts'

type NodeCall = readonly [method: string, ...params: unknown[]]

/** The node of a development chain, which mines no transaction while somebody reads state at a given block. */
export interface OrderedNode {
  /** As `DevNode.batch`. */
  batch(requests: readonly NodeCall[]): Promise<JsonRpcOutcome[]>
  /** The same for a request that is on the wire already. */
  readonly fetch: Fetch
}

/**
 * Anvil answers a read at its latest block from the state that it is writing: while it mines the next block, the answer is
 * of that block, and one transaction counts twice in a ledger that settles block by block. Earlier blocks are kept apart
 * and exact, like every block of a public network's nodes. So sending waits for such reads and they for it, until what
 * was sent is mined.
 */
export function createOrderedNode(node: DevNode, gate: ReadWriteLock): OrderedNode {
  const takeTurn = createTurns()

  function inTurn<T>(calls: readonly NodeCall[], work: () => Promise<T>): Promise<T> {
    const kind = kindOf(calls)
    return gate.shared(kind === undefined ? work : () => takeTurn(kind, work))
  }

  const batch = (calls: readonly NodeCall[]) =>
    inTurn(calls, async () => {
      const outcomes = await node.batch(calls)
      for (const [index, outcome] of outcomes.entries()) {
        if (isSend(calls[index]!) && 'result' in outcome) await untilIncluded(node, String(outcome.result))
      }
      return outcomes
    })

  return {
    batch,
    async fetch(url, init) {
      const requests = JSON.parse(String(init.body)) as JsonRpcRequest[]
      const calls = requests.map(({ method, params }) => [method, ...params] as const)
      if (!calls.some(isSend)) return inTurn(calls, () => fetch(url, init))
      const outcomes = await batch(calls)
      return Response.json(requests.map(({ id }, index) => respond(id, outcomes[index]!)))
    },
  }
}

const STATE_READS = new Set([
  'eth_call',
  'eth_getBalance',
  'eth_getCode',
  'eth_getStorageAt',
  'eth_getTransactionCount',
])

const isSend = ([method]: NodeCall): boolean => method === 'eth_sendRawTransaction'

/** `undefined`: work that may run beside either. */
function kindOf(calls: readonly NodeCall[]): 'mining' | 'reading' | undefined {
  if (calls.some((call) => isSend(call) || call[0] === 'evm_mine')) return 'mining'
  const isRead = ([method, ...params]: NodeCall) => STATE_READS.has(method) && params.some(isFixedBlock)
  return calls.some(isRead) ? 'reading' : undefined
}

/** A number or a hash (EIP-1898), not a word like `latest`. */
function isFixedBlock(param: unknown): boolean {
  if (typeof param === 'string') return /^0x[0-9a-f]{1,16}$/i.test(param)
  return typeof param === 'object' && param !== null && ('blockNumber' in param || 'blockHash' in param)
}
