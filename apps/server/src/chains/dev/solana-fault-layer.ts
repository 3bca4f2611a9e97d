import { getSignatureFromTransaction } from '@solana/transactions'
import type { Log } from '../../kernel/index.ts'
import { decodeTransaction } from '../solana/message.ts'
import type { DevNode } from './dev-node.ts'
import type { FaultLayer } from './fault-layer.ts'
import type { ChainFault, Faults } from './faults.ts'
import { type JsonRpcOutcome, type JsonRpcRequest, respond, rpcError } from './json-rpc.ts'

export type SolanaFault = 'drop_next' | 'revert_next' | 'delay_next'

const SOLANA_FAULTS = ['drop_next', 'revert_next', 'delay_next'] as const satisfies readonly ChainFault[]

export interface SolanaFaultLayerParts {
  readonly node: DevNode
  readonly faults: Faults
  readonly isRegistered: (address: string) => Promise<boolean>
  /** Tells the chain what to do with a transaction when it comes. */
  readonly injectFault: (signature: string, strike: SolanaFault) => Promise<void>
  readonly log: Log
}

/** As the EVM chains' fault layer; the strikes themselves fall inside the chain, which is told of them beforehand. */
export function createSolanaFaultLayer(parts: SolanaFaultLayerParts): Pick<FaultLayer, 'exchange' | 'isTransparent'> {
  const { node, faults, log } = parts

  const forward = async ({ method, params }: JsonRpcRequest): Promise<JsonRpcOutcome> => {
    const [outcome] = await node.batch([[method, ...params]])
    return outcome ?? rpcError(-32_603, 'the node did not answer')
  }

  async function send(request: JsonRpcRequest): Promise<JsonRpcOutcome> {
    const struck = await strikeFor(request.params[0])
    if (!struck) return forward(request)
    await parts.injectFault(struck.signature, struck.strike)
    const outcome = await forward(request)
    if ('error' in outcome) faults.release(struck.strike)
    else log.info({ signature: struck.signature }, `${struck.strike}: accepted`)
    return outcome
  }

  /** What befalls these bytes; only transactions of registered wallets are struck. */
  async function strikeFor(raw: unknown): Promise<{ signature: string; strike: SolanaFault } | undefined> {
    if (SOLANA_FAULTS.every((fault) => faults.remaining(fault) === 0) || typeof raw !== 'string') return undefined
    const transaction = read(raw)
    const sender = transaction && Object.keys(transaction.signatures)[0]
    if (!sender || transaction.signatures[sender as never] === null || !(await parts.isRegistered(sender)))
      return undefined
    const strike = SOLANA_FAULTS.find((fault) => faults.consume(fault))
    return strike && { signature: getSignatureFromTransaction(transaction), strike }
  }

  return {
    isTransparent: (body) => faults.remaining('simulation_fails') === 0 && !body.includes('sendTransaction'),
    async exchange(requests) {
      const answers = []
      // One after the other: what is sent first in a batch is sent first.
      for (const request of requests) {
        const fails = request.method === 'simulateTransaction' && faults.consume('simulation_fails')
        const outcome = fails
          ? FAILED
          : request.method === 'sendTransaction'
            ? await send(request)
            : await forward(request)
        answers.push(respond(request.id, outcome))
      }
      return answers
    },
  }
}

const FAILED: JsonRpcOutcome = {
  result: {
    context: { slot: 0 },
    value: {
      err: { InstructionError: [0, { Custom: 1 }] },
      logs: ['Program log: Error: sandbox: simulation_fails'],
      accounts: null,
      unitsConsumed: 0,
      returnData: null,
    },
  },
}

function read(raw: string) {
  try {
    return decodeTransaction(raw)
  } catch {
    // The node will say what is wrong with them.
    return undefined
  }
}
