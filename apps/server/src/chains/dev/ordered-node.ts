import { MINED_CHECKS } from '../../kernel/index.ts'
import type { Fetch } from '../rpc/endpoint.ts'
import type { DevNode } from './dev-node.ts'
import type { JsonRpcOutcome, JsonRpcRequest } from './json-rpc.ts'
import type { ReadWriteLock } from './read-write-lock.ts'
import { createTurns, type Turns } from './take-turns.ts'

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
  const turns = createTurns()

  function inTurn<T>(calls: readonly NodeCall[], work: () => Promise<T>): Promise<T> {
    const turn = turnOf(turns, calls)
    return gate.shared(turn === undefined ? work : () => turn(work))
  }

  async function untilMined(calls: readonly NodeCall[], outcomes: readonly JsonRpcOutcome[]): Promise<void> {
    for (const [index, outcome] of outcomes.entries()) {
      if (calls[index]?.[0] === SEND && 'result' in outcome) await untilIncluded(node, String(outcome.result))
    }
  }

  return {
    batch: (calls) =>
      inTurn(calls, async () => {
        const outcomes = await node.batch(calls)
        await untilMined(calls, outcomes)
        return outcomes
      }),
    async fetch(url, init) {
      const requests = [JSON.parse(String(init.body))].flat() as JsonRpcRequest[]
      const calls = requests.map(({ method, params }) => [method, ...params] as const)
      return inTurn(calls, async () => {
        const response = await fetch(url, init)
        if (!response.ok || !calls.some(([method]) => method === SEND)) return response
        const body = await response.text()
        const responses = [JSON.parse(body)].flat() as ({ id: unknown } & JsonRpcOutcome)[]
        const byId = new Map(responses.map((one) => [one.id, one]))
        await untilMined(
          calls,
          requests.map(({ id }) => byId.get(id) ?? { error: NO_RESPONSE }),
        )
        return new Response(body, response)
      })
    },
  }
}

const SEND = 'eth_sendRawTransaction'
const NO_RESPONSE = { code: -32_603, message: 'no response from the node' }
const STATE_READS = new Set([
  'eth_call',
  'eth_getBalance',
  'eth_getCode',
  'eth_getStorageAt',
  'eth_getTransactionCount',
])

function turnOf(turns: Turns, calls: readonly NodeCall[]): Turns[keyof Turns] | undefined {
  if (calls.some(([method]) => method === SEND || method === 'evm_mine')) return turns.second
  const isRead = ([method, ...params]: NodeCall) => STATE_READS.has(method) && params.some(isFixedBlock)
  return calls.some(isRead) ? turns.first : undefined
}

/** A number or a hash (EIP-1898), not a word like `latest`. */
function isFixedBlock(param: unknown): boolean {
  if (typeof param === 'string') return /^0x[0-9a-f]{1,16}$/i.test(param)
  return typeof param === 'object' && param !== null && ('blockNumber' in param || 'blockHash' in param)
}

/**
 * Until the transaction is in a block. One that waits for an earlier nonce, or that the node dropped, is not waited for;
 * nor is one that stays pending for longer, because the node does not mine at once.
 */
async function untilIncluded(node: DevNode, hash: string): Promise<void> {
  for (let check = 0; check < MINED_CHECKS.max; check++) {
    const found = await node.request<{ blockNumber: string | null; from: string; nonce: string } | null>(
      'eth_getTransactionByHash',
      hash,
    )
    if (found === null || found.blockNumber !== null) return
    const next = Number(await node.request<string>('eth_getTransactionCount', found.from, 'latest'))
    if (Number(found.nonce) > next) return
    await new Promise((resolve) => setTimeout(resolve, MINED_CHECKS.intervalMs))
  }
}
