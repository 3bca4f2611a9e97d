import { getSignatureFromTransaction } from '@solana/transactions'
import type { Log } from '../../kernel/index.ts'
import { decodeTransaction } from '../solana/transactions/message.ts'
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
  /** Injects a fault into the chain, for the transaction with this signature. */
  readonly injectFault: (signature: string, strike: SolanaFault) => Promise<void>
  readonly log: Log
}

/** Like the EVM fault layer, but the faults are injected into the chain itself, before the transaction is sent. */
export function createSolanaFaultLayer(parts: SolanaFaultLayerParts): Pick<FaultLayer, 'exchange' | 'isTransparent'> {
  const { node, faults, log } = parts

  const forward = async ({ method, params }: JsonRpcRequest): Promise<JsonRpcOutcome> => {
    const [outcome] = await node.batch([[method, ...params]])
    return outcome ?? rpcError(-32_603, 'no response from the node')
  }

  async function send(request: JsonRpcRequest): Promise<JsonRpcOutcome> {
    const target = await faultFor(request.params[0])
    if (!target) return forward(request)
    await parts.injectFault(target.signature, target.strike)
    const outcome = await forward(request)
    if ('error' in outcome) faults.release(target.strike)
    else log.info({ signature: target.signature }, `${target.strike}: accepted`)
    return outcome
  }

  /** The fault for these bytes; only transactions of registered wallets are affected. */
  async function faultFor(raw: unknown): Promise<{ signature: string; strike: SolanaFault } | undefined> {
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
      const responses = []
      // One at a time: the order within a batch is the order of sending.
      for (const request of requests) {
        const fails = request.method === 'simulateTransaction' && faults.consume('simulation_fails')
        const outcome = fails
          ? FAILED
          : request.method === 'sendTransaction'
            ? await send(request)
            : await forward(request)
        responses.push(respond(request.id, outcome))
      }
      return responses
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
    // The node reports what is wrong with them.
    return undefined
  }
}
