import type { Hex } from 'viem'
import type { Log } from '../../kernel/index.ts'
import { type DecodedTransaction, decodeSigned } from '../evm/transactions/decode-signed.ts'
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
import type { OrderedNode } from './ordered-node.ts'
import type { ReadWriteLock } from './read-write-lock.ts'
import { revertWith } from './revert-shim.ts'
import { takeQueued } from './take-queued.ts'
import { untilIncluded } from './until-included.ts'

/** Number of further blocks for which `delay_next` delays a transaction (contract 13). */
const DELAY_BLOCKS = 20

const SIMULATION_REASON = 'sandbox: simulation_fails'

export interface FaultLayerParts {
  readonly node: DevNode
  /** The same node, for what may run beside other requests. */
  readonly ordered: OrderedNode
  readonly gate: ReadWriteLock
  readonly faults: Faults
  /** Only transactions of registered wallets are affected: never the faucet's, the borrower's or a delivery's. */
  readonly isRegistered: (address: string) => Promise<boolean>
  readonly log: Log
  /** Called when a transaction is delayed, so that blocks are mined until it is released. */
  readonly onDelayed: () => void
}

/** Sits between all clients and the node of a development chain: responds as the node does, except for the faults. */
export interface FaultLayer {
  readonly delayed: DelayedTransactions
  /** Whether the requests may go to the node unchanged. */
  isTransparent(body: string): boolean
  /** `isService`: the service asks, whose own readings by simulated calls take no `simulation_fails`. */
  exchange(requests: readonly JsonRpcRequest[], options?: { readonly isService: boolean }): Promise<JsonRpcResponse[]>
  /** Sends due transactions to the node. */
  release(head: number): Promise<void>
}

export function createFaultLayer(parts: FaultLayerParts): FaultLayer {
  const { node, ordered, gate, faults, log } = parts
  const delayed = createDelayedTransactions()

  const forward = async (method: string, params: readonly unknown[]): Promise<JsonRpcOutcome> => {
    const [outcome] = await ordered.batch([[method, ...params]])
    return outcome ?? rpcError(-32_603, 'no response from the node')
  }

  /** The layer's own response; `undefined`: forward to the node. */
  async function intercept(
    { method, params }: JsonRpcRequest,
    isService: boolean,
  ): Promise<JsonRpcOutcome | undefined> {
    const [first, second] = params
    switch (method) {
      case 'eth_simulateV1':
      case 'eth_estimateGas':
        if ((isService && changesState(first)) || !faults.consume('simulation_fails')) return undefined
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
    const outcome = (await applyFault(content)) ?? (await forward('eth_sendRawTransaction', [content.raw]))
    // Remove the delayed one only if its replacement was accepted; `delayed` may already hold the replacement.
    if (before && 'result' in outcome && delayed.byHash(before.content.hash)) delayed.remove(before)
    return outcome
  }

  const TRANSACTION_FAULTS = ['drop_next', 'revert_next', 'delay_next'] as const satisfies readonly ChainFault[]

  async function applyFault(content: DecodedTransaction): Promise<JsonRpcOutcome | undefined> {
    if (TRANSACTION_FAULTS.every((fault) => faults.remaining(fault) === 0)) return undefined
    if (!(await parts.isRegistered(content.sender))) return undefined
    // Exclusive, so that the state of the sender cannot change before the fault applies.
    return gate.exclusive(() => applyFaultExclusively(content))
  }

  async function applyFaultExclusively(content: DecodedTransaction): Promise<JsonRpcOutcome | undefined> {
    const { hash } = content
    const { acceptable, head, nextNonce } = await checkAcceptance(node, content)
    if (!acceptable) return undefined
    if (faults.consume('drop_next')) {
      log.info({ hash }, 'drop_next: accepted and dropped')
      return { result: hash }
    }
    if (content.nonce === nextNonce && canForceRevert(content) && faults.consume('revert_next')) {
      // One transaction fails for each count, and not those that wait for its nonce.
      const queued = await takeQueued(node, content.sender)
      try {
        const outcome = await mineReverted(node, content, head)
        if ('error' in outcome) faults.release('revert_next')
        else log.info({ hash }, 'revert_next: mined as failed')
        return outcome
      } finally {
        for (const raw of queued) await sendAgain(raw)
      }
    }
    if (faults.consume('delay_next')) {
      const releaseAt = head + DELAY_BLOCKS
      delayed.add({ content, releaseAt })
      log.info({ hash, releaseAt }, 'delay_next: delayed')
      parts.onDelayed()
      return { result: hash }
    }
    return undefined
  }

  async function sendAgain(raw: Hex): Promise<void> {
    const content = await decodeSigned(raw)
    if ((await applyFaultExclusively(content)) !== undefined) return
    const [outcome] = await node.batch([['eth_sendRawTransaction', raw]])
    if (outcome && 'result' in outcome) await untilIncluded(node, content.hash)
  }

  return {
    delayed,
    isTransparent: (body) =>
      delayed.size === 0 && faults.remaining('simulation_fails') === 0 && !body.includes('eth_sendRawTransaction'),
    async exchange(requests, { isService } = { isService: false }) {
      // One at a time: the order within a batch is the order of sending.
      const intercepted: (JsonRpcOutcome | undefined)[] = []
      for (const request of requests) intercepted.push(await intercept(request, isService))
      const rest = requests.filter((_, index) => intercepted[index] === undefined)
      const responses = await ordered.batch(rest.map(({ method, params }) => [method, ...params] as const))
      const fromNode = responses.values()
      return requests.map(({ id }, index) => {
        const outcome = intercepted[index] ?? fromNode.next().value
        return respond(id, outcome ?? rpcError(-32_603, 'no response from the node'))
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

/**
 * Whether a simulation is of a different state than the present one. Such a simulation asks what a contract would do, for
 * nobody's transaction: Weir reads with it, at times of its own, what vaults accept.
 */
function changesState(simulation: unknown): boolean {
  const { blockStateCalls } = (simulation ?? {}) as { readonly blockStateCalls?: unknown }
  return Array.isArray(blockStateCalls) && blockStateCalls.some((block) => Object(block).stateOverrides !== undefined)
}
