import type { Log } from '../../kernel/index.ts'
import { decodeSigned, type SignedContent } from '../evm/decode-signed.ts'
import { quantity } from '../evm/wire.ts'
import type { ChainFault, Faults } from './faults.ts'
import type { Gate } from './gate.ts'
import { asPending, createHeldTransactions, type HeldTransactions, mayReplace } from './held-transactions.ts'
import { type JsonRpcOutcome, type JsonRpcRequest, type JsonRpcResponse, problem, respond } from './json-rpc.ts'
import type { DevNode } from './node.ts'
import { revertWith } from './revert-shim.ts'
import { canFail, mineAsFailed, standingOf } from './strike.ts'

/** How many further blocks `delay_next` holds a transaction (decisions 13). */
const DELAY_BLOCKS = 20

const SIMULATION_REASON = 'sandbox: simulation_fails'

export interface FaultLayerParts {
  readonly node: DevNode
  readonly gate: Gate
  readonly faults: Faults
  /** Only transactions of registered wallets are struck: never the faucet's, the borrower's or a delivery. */
  readonly isRegistered: (address: string) => Promise<boolean>
  readonly log: Log
  /** Called when something is held, so that blocks are mined until it is not. */
  readonly onHeld: () => void
}

/** Between everybody and the node of a development chain: answers as the node does, but for the faults. */
export interface FaultLayer {
  readonly held: HeldTransactions
  /** Whether the requests may go to the node as they are. */
  isTransparent(body: string): boolean
  exchange(requests: readonly JsonRpcRequest[]): Promise<JsonRpcResponse[]>
  /** Gives due transactions to the node. */
  release(head: number): Promise<void>
}

export function createFaultLayer(parts: FaultLayerParts): FaultLayer {
  const { node, gate, faults, log } = parts
  const held = createHeldTransactions()

  const forward = async (method: string, params: readonly unknown[]): Promise<JsonRpcOutcome> => {
    const [outcome] = await gate.shared(() => node.ask([[method, ...params]]))
    return outcome ?? problem(-32_603, 'the node did not answer')
  }

  /** What the layer answers itself; `undefined`: the node shall. */
  async function intercept({ method, params }: JsonRpcRequest): Promise<JsonRpcOutcome | undefined> {
    const [first, second] = params
    switch (method) {
      case 'eth_simulateV1':
      case 'eth_estimateGas':
        if (!faults.strikes('simulation_fails')) return undefined
        return problem(3, `execution reverted: ${SIMULATION_REASON}`, revertWith(SIMULATION_REASON))
      case 'eth_sendRawTransaction':
        return send(first)
      case 'eth_getTransactionByHash': {
        const found = typeof first === 'string' ? held.byHash(first.toLowerCase()) : undefined
        return found && { result: asPending(found) }
      }
      case 'eth_getTransactionCount': {
        if (held.size === 0 || second !== 'pending' || typeof first !== 'string') return undefined
        const outcome = await forward(method, params)
        if ('error' in outcome) return outcome
        return { result: quantity(held.pendingCount(first, Number(outcome.result))) }
      }
      default:
        return undefined
    }
  }

  async function send(raw: unknown): Promise<JsonRpcOutcome> {
    const content = typeof raw === 'string' ? await decodeSigned(raw).catch(() => undefined) : undefined
    if (!content) return forward('eth_sendRawTransaction', [raw])
    const before = held.bySlot(content.sender, content.nonce)
    if (before?.content.hash === content.hash) return problem(-32_000, 'already known')
    if (before && !mayReplace(content, before.content)) return problem(-32_000, 'replacement transaction underpriced')
    const outcome = (await struck(content)) ?? (await forward('eth_sendRawTransaction', [content.raw]))
    // The one that was held has lost its place only if this one was taken; `held` may hold this one by now.
    if (before && 'result' in outcome && held.byHash(before.content.hash)) held.remove(before)
    return outcome
  }

  const STRIKES = ['drop_next', 'revert_next', 'delay_next'] as const satisfies readonly ChainFault[]

  async function struck(content: SignedContent): Promise<JsonRpcOutcome | undefined> {
    if (STRIKES.every((fault) => faults.left(fault) === 0)) return undefined
    if (!(await parts.isRegistered(content.sender))) return undefined
    // Alone on the chain, so that what was found of the sender still holds when the strike falls.
    return gate.exclusive(() => strike(content))
  }

  async function strike(content: SignedContent): Promise<JsonRpcOutcome | undefined> {
    const { hash } = content
    const { acceptable, head, nextNonce } = await standingOf(node, content)
    if (!acceptable) return undefined
    if (faults.strikes('drop_next')) {
      log.info({ hash }, 'drop_next: accepted and forgotten')
      return { result: hash }
    }
    if (content.nonce === nextNonce && canFail(content) && faults.strikes('revert_next')) {
      const outcome = await mineAsFailed(node, content, head)
      if ('error' in outcome) faults.giveBack('revert_next')
      else log.info({ hash }, 'revert_next: mined as failed')
      return outcome
    }
    if (faults.strikes('delay_next')) {
      const releaseAt = head + DELAY_BLOCKS
      held.add({ content, releaseAt })
      log.info({ hash, releaseAt }, 'delay_next: held')
      parts.onHeld()
      return { result: hash }
    }
    return undefined
  }

  return {
    held,
    isTransparent: (body) =>
      held.size === 0 && faults.left('simulation_fails') === 0 && !body.includes('eth_sendRawTransaction'),
    async exchange(requests) {
      // One after the other: what is sent first in a batch is sent first.
      const own: (JsonRpcOutcome | undefined)[] = []
      for (const request of requests) own.push(await intercept(request))
      const rest = requests.filter((_, index) => own[index] === undefined)
      const answers = await gate.shared(() => node.ask(rest.map(({ method, params }) => [method, ...params] as const)))
      const fromNode = answers.values()
      return requests.map(({ id }, index) => {
        const outcome = own[index] ?? fromNode.next().value
        return respond(id, outcome ?? problem(-32_603, 'the node did not answer'))
      })
    },
    async release(head) {
      for (const due of held.due(head)) {
        held.remove(due)
        const outcome = await forward('eth_sendRawTransaction', [due.content.raw])
        const reason = 'error' in outcome ? outcome.error.message : undefined
        log.info({ hash: due.content.hash, reason }, 'delay_next: released')
      }
    },
  }
}
