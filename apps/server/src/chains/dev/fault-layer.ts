import type { Log } from '../../kernel/index.ts'
import { type DecodedTransaction, decodeSigned } from '../evm/decode-signed.ts'
import { quantity } from '../evm/wire.ts'
import {
  canReplace,
  createDelayedTransactions,
  type DelayedTransactions,
  toPendingTransaction,
} from './delayed-transactions.ts'
import type { DevNode } from './dev-node.ts'
import type { ChainFault, Faults } from './faults.ts'
import { type JsonRpcOutcome, type JsonRpcRequest, type JsonRpcResponse, respond, rpcError } from './json-rpc.ts'
import { canForceRevert, checkAcceptance, mineReverted } from './mine-reverted.ts'
import type { ReadWriteLock } from './read-write-lock.ts'
import { revertWith } from './revert-shim.ts'

/** How many further blocks `delay_next` holds a transaction (contract 13). */
const DELAY_BLOCKS = 20

const SIMULATION_REASON = 'sandbox: simulation_fails'

export interface FaultLayerParts {
  readonly node: DevNode
  readonly gate: ReadWriteLock
  readonly faults: Faults
  /** Only transactions of registered wallets are struck: never the faucet's, the borrower's or a delivery. */
  readonly isRegistered: (address: string) => Promise<boolean>
  readonly log: Log
  /** Called when something is held, so that blocks are mined until it is not. */
  readonly onDelayed: () => void
}

/** Between everybody and the node of a development chain: answers as the node does, but for the faults. */
export interface FaultLayer {
  readonly delayed: DelayedTransactions
  /** Whether the requests may go to the node as they are. */
  isTransparent(body: string): boolean
  exchange(requests: readonly JsonRpcRequest[]): Promise<JsonRpcResponse[]>
  /** Gives due transactions to the node. */
  release(head: number): Promise<void>
}

export function createFaultLayer(parts: FaultLayerParts): FaultLayer {
  const { node, gate, faults, log } = parts
  const delayed = createDelayedTransactions()

  const forward = async (method: string, params: readonly unknown[]): Promise<JsonRpcOutcome> => {
    const [outcome] = await gate.shared(() => node.batch([[method, ...params]]))
    return outcome ?? rpcError(-32_603, 'the node did not answer')
  }

  /** What the layer answers itself; `undefined`: the node shall. */
  async function intercept({ method, params }: JsonRpcRequest): Promise<JsonRpcOutcome | undefined> {
    const [first, second] = params
    switch (method) {
      case 'eth_simulateV1':
      case 'eth_estimateGas':
        if (!faults.consume('simulation_fails')) return undefined
        return rpcError(3, `execution reverted: ${SIMULATION_REASON}`, revertWith(SIMULATION_REASON))
      case 'eth_sendRawTransaction':
        return send(first)
      case 'eth_getTransactionByHash': {
        const found = typeof first === 'string' ? delayed.byHash(first.toLowerCase()) : undefined
        return found && { result: toPendingTransaction(found) }
      }
      case 'eth_getTransactionCount': {
        if (delayed.size === 0 || second !== 'pending' || typeof first !== 'string') return undefined
        const outcome = await forward(method, params)
        if ('error' in outcome) return outcome
        return { result: quantity(delayed.pendingCount(first, Number(outcome.result))) }
      }
      default:
        return undefined
    }
  }

  async function send(raw: unknown): Promise<JsonRpcOutcome> {
    const content = typeof raw === 'string' ? await decodeSigned(raw).catch(() => undefined) : undefined
    if (!content) return forward('eth_sendRawTransaction', [raw])
    const before = delayed.bySenderNonce(content.sender, content.nonce)
    if (before?.content.hash === content.hash) return rpcError(-32_000, 'already known')
    if (before && !canReplace(content, before.content)) return rpcError(-32_000, 'replacement transaction underpriced')
    const outcome = (await struck(content)) ?? (await forward('eth_sendRawTransaction', [content.raw]))
    // The one that was held has lost its place only if this one was taken; `held` may hold this one by now.
    if (before && 'result' in outcome && delayed.byHash(before.content.hash)) delayed.remove(before)
    return outcome
  }

  const STRIKES = ['drop_next', 'revert_next', 'delay_next'] as const satisfies readonly ChainFault[]

  async function struck(content: DecodedTransaction): Promise<JsonRpcOutcome | undefined> {
    if (STRIKES.every((fault) => faults.remaining(fault) === 0)) return undefined
    if (!(await parts.isRegistered(content.sender))) return undefined
    // Alone on the chain, so that what was found of the sender still holds when the strike falls.
    return gate.exclusive(() => strike(content))
  }

  async function strike(content: DecodedTransaction): Promise<JsonRpcOutcome | undefined> {
    const { hash } = content
    const { acceptable, head, nextNonce } = await checkAcceptance(node, content)
    if (!acceptable) return undefined
    if (faults.consume('drop_next')) {
      log.info({ hash }, 'drop_next: accepted and forgotten')
      return { result: hash }
    }
    if (content.nonce === nextNonce && canForceRevert(content) && faults.consume('revert_next')) {
      const outcome = await mineReverted(node, content, head)
      if ('error' in outcome) faults.release('revert_next')
      else log.info({ hash }, 'revert_next: mined as failed')
      return outcome
    }
    if (faults.consume('delay_next')) {
      const releaseAt = head + DELAY_BLOCKS
      delayed.add({ content, releaseAt })
      log.info({ hash, releaseAt }, 'delay_next: held')
      parts.onDelayed()
      return { result: hash }
    }
    return undefined
  }

  return {
    delayed,
    isTransparent: (body) =>
      delayed.size === 0 && faults.remaining('simulation_fails') === 0 && !body.includes('eth_sendRawTransaction'),
    async exchange(requests) {
      // One after the other: what is sent first in a batch is sent first.
      const own: (JsonRpcOutcome | undefined)[] = []
      for (const request of requests) own.push(await intercept(request))
      const rest = requests.filter((_, index) => own[index] === undefined)
      const answers = await gate.shared(() =>
        node.batch(rest.map(({ method, params }) => [method, ...params] as const)),
      )
      const fromNode = answers.values()
      return requests.map(({ id }, index) => {
        const outcome = own[index] ?? fromNode.next().value
        return respond(id, outcome ?? rpcError(-32_603, 'the node did not answer'))
      })
    },
    async release(head) {
      for (const due of delayed.due(head)) {
        delayed.remove(due)
        const outcome = await forward('eth_sendRawTransaction', [due.content.raw])
        const reason = 'error' in outcome ? outcome.error.message : undefined
        log.info({ hash: due.content.hash, reason }, 'delay_next: released')
      }
    },
  }
}
