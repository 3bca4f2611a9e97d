import type { Fetch } from '../../../src/chains/rpc/endpoint.ts'
import type { NodeFaults } from '../../service/node.ts'
import type { ProcessConnection } from '../../service/service.ts'
import type { Cluster } from '../world/cluster.ts'
import { decodeTransaction } from '../world/transaction.ts'
import { answer } from './methods.ts'
import { Refusal, View } from './view.ts'

interface TransportParts extends ProcessConnection {
  readonly cluster: Cluster
  readonly faults: NodeFaults
  /** Called with the signature of a broadcast before any node sees it. */
  readonly onSend: (signature: string) => Promise<void>
  /** A deliberate defect. */
  readonly rewrite?: ((method: string, result: unknown) => unknown) | undefined
}

interface Call {
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
}

/** Ways in which a node fails without doing anything. */
const CONNECTION_FAILURES = ['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'too many requests', 'nonsense'] as const

/**
 * The transport to a cluster's nodes, below the adapter. Each request reaches a node that may lag, have pruned old
 * blocks, refuse, or be unavailable; a broadcast or its response may be lost. Requests wait for their turn, and the
 * process may die before and after each.
 */
export function createTransport({
  cluster,
  faults,
  nodes,
  random,
  schedule,
  crashes,
  onSend,
  rewrite = (_method, result) => result,
}: TransportParts): Fetch {
  function answerTo({ id, method, params }: Call, view: View) {
    try {
      return { jsonrpc: '2.0', id, result: rewrite(method, answer(view, method, params)) }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return { jsonrpc: '2.0', id, error: { code: error.code, message: error.message, data: error.data } }
    }
  }

  return async (_url, init) => {
    const calls = JSON.parse(String(init.body)) as Call[]
    const send = calls.find(({ method }) => method === 'sendTransaction')
    const label = send ? 'a send' : 'a request'
    await schedule.turn()
    crashes.point(`before ${label}`)
    if (send) {
      const { signature } = decodeTransaction(String(send.params[0]))
      await schedule.during(() => onSend(signature))
      if (nodes.areAway) throw broken('ECONNREFUSED')
      if (random.chance(faults.lostBefore)) throw broken(random.pick(['ECONNREFUSED', 'ETIMEDOUT']))
    } else if (nodes.areAway) {
      throw broken('ECONNREFUSED')
    } else if (random.chance(faults.refuse)) {
      const silence = random.pick(CONNECTION_FAILURES)
      if (silence === 'nonsense') return response('<html>502 Bad Gateway</html>', 502)
      if (silence === 'too many requests') {
        return response(calls.map(({ id }) => ({ id, error: { code: 429, message: silence } })))
      }
      throw broken(silence)
    }
    const lag = random.chance(faults.lag) ? random.between(1, 6) : 0
    const view = new View(cluster, lag, faults.retainedBlocks)
    const answers = calls.map((call) => answerTo(call, view))
    crashes.point(`after ${label}`)
    if (send && random.chance(faults.lostAfter)) throw broken('ETIMEDOUT')
    return response(answers)
  }
}

function broken(code: string): Error {
  return new TypeError('fetch failed', { cause: { code } })
}

/** The parts of a response that callers read, without a real stream. */
function response(content: unknown, status = 200): Response {
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  return { ok: status < 400, status, body: [Buffer.from(text)] } as unknown as Response
}
