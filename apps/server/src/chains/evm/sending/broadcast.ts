import { type Hex, keccak256 } from 'viem'
import { RPC_SEND_TIMEOUT_MS } from '../../../kernel/index.ts'
import type { BroadcastResult } from '../../port/transaction-bytes.ts'
import { EndpointError, type RpcError } from '../../rpc/endpoint.ts'
import type { EvmContext } from '../context.ts'
import { isBelowIntrinsicGas } from '../fees/intrinsic-gas.ts'

/**
 * Sends committed bytes (rule 5) to the endpoints in turn until one responds. The same bytes have the same effect
 * however often they are sent; only the possible conclusions differ. A refusal is definite only if no earlier endpoint
 * may have accepted the bytes. Never throws for a node's response.
 */
export async function broadcast(context: EvmContext, raw: string): Promise<BroadcastResult> {
  if (isBelowIntrinsicGas(raw)) return INVALID_GAS_LIMIT
  const reasons: string[] = []
  let mayBeAccepted = false
  for (const endpoint of context.rpc.endpointsByAvailability()) {
    const request = { method: 'eth_sendRawTransaction', params: [raw] }
    try {
      const [response] = await endpoint.send([request], RPC_SEND_TIMEOUT_MS)
      if (response?.ok) return { outcome: 'accepted' }
      const rejection = response ? classifyRejection(response.error) : undefined
      if (rejection?.outcome === 'known') return rejection
      if (rejection?.outcome === 'stale' && (await isOnChain(context, raw))) return { outcome: 'known' }
      if (rejection && rejection.outcome !== 'unknown' && !mayBeAccepted) {
        context.log.info(
          { outcome: rejection.outcome, reason: response?.error.message },
          'a node refused a transaction',
        )
        return rejection
      }
      reasons.push(response?.error.message ?? 'no response')
      mayBeAccepted = true
    } catch (error) {
      if (!(error instanceof EndpointError)) throw error
      reasons.push(error.message)
      mayBeAccepted ||= error.kind !== 'refused'
    }
  }
  return { outcome: 'unknown', reason: reasons.join('; ') }
}

/** Nodes also report "nonce too low" for a transaction that is already in a block. */
async function isOnChain({ rpc }: EvmContext, raw: string): Promise<boolean> {
  const response = await rpc.tryRequest('eth_getTransactionByHash', [keccak256(raw as Hex)])
  return response.ok && response.result !== null
}

const INVALID_GAS_LIMIT: BroadcastResult = {
  outcome: 'refused',
  code: 'SIMULATION_FAILED',
  reason: 'the gas limit is too low or too high',
}

type RejectionRule = (message: string) => BroadcastResult

/**
 * The sender of the bytes sees this reason, so it is the service's wording; the node's stays in the log (contract 4).
 */
const refuseWith =
  (code: 'INSUFFICIENT_GAS' | 'SIMULATION_FAILED' | 'UNDERPRICED', reason: string): RejectionRule =>
  () => ({ outcome: 'refused', code, reason })

/**
 * Messages of geth (and bor, op-geth), erigon, nethermind, besu, reth and anvil; the first match decides. Order
 * matters: "replacement transaction underpriced" before "underpriced", "already known" before everything.
 */
const REJECTION_RULES: readonly (readonly [RegExp, RejectionRule])[] = [
  [
    /already ?known|already imported|already exists|known transaction|existing tx with same hash|AlreadyReceived/i,
    () => ({ outcome: 'known' }),
  ],
  [
    /nonce (is )?too low|OldNonce|OwnNonceAlreadyUsed|nonce .*already used/i,
    (reason) => ({ outcome: 'stale', reason }),
  ],
  [
    /insufficient ?funds|upfront cost exceeds|insufficient balance|InsufficientFunds|overshot/i,
    refuseWith('INSUFFICIENT_GAS', 'the native token does not cover fee and value'),
  ],
  [
    /underpriced|could not replace existing tx|ReplacementNotAllowed|fee ?too ?low|less than block base fee|fee cap less than|gas price (is )?(too low|below)|below configured minimum|(tx|transaction) ?pool is full|future transaction tries to replace/i,
    refuseWith('UNDERPRICED', 'the fee is too low'),
  ],
  [
    /intrinsic gas|exceeds block gas limit|exceeds the block gas|GasLimitExceeded|gas limit (too|is too) (high|low)|gas limit exceeds|out of gas|gas required exceeds/i,
    () => INVALID_GAS_LIMIT,
  ],
  [/revert/i, refuseWith('SIMULATION_FAILED', 'it would revert')],
  [
    /invalid (chain id|chain|sender|signature|signer|transaction)|transaction type not supported|only replay-protected|rlp:|failed to decode|exceeds the configured cap|priority fee per gas higher|oversized data|init ?code size/i,
    refuseWith('SIMULATION_FAILED', 'nodes do not accept a transaction of this form'),
  ],
]

/** The meaning of a node's refusal of raw bytes. An unknown message decides nothing: the bytes may be on their way. */
export function classifyRejection({ message }: RpcError): BroadcastResult {
  const rule = REJECTION_RULES.find(([words]) => words.test(message))
  return rule ? rule[1](message) : { outcome: 'unknown', reason: message }
}
