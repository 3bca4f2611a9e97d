import { type Hex, keccak256 } from 'viem'
import type { BroadcastResult } from '../port/chain.ts'
import { EndpointError, type RpcError } from '../rpc/endpoint.ts'
import { SEND_TIMEOUT_MS } from '../rpc/limits.ts'
import type { EvmContext } from './context.ts'
import { isBelowIntrinsicGas } from './intrinsic-gas.ts'

/**
 * Sends bytes that were committed before (rule 5) to the endpoints in turn, until one answers. The same bytes
 * have the same effect however often they are sent; what changes is only what may be concluded. A refusal counts for
 * certain only if no endpoint before it may have taken the bytes. Never throws for what nodes say.
 */
export async function broadcast(context: EvmContext, raw: string): Promise<BroadcastResult> {
  if (isBelowIntrinsicGas(raw)) return INVALID_GAS_LIMIT
  const reasons: string[] = []
  let mayBeOnItsWay = false
  for (const endpoint of context.rpc.endpointsByAvailability()) {
    const request = { method: 'eth_sendRawTransaction', params: [raw] }
    try {
      const [answer] = await endpoint.send([request], SEND_TIMEOUT_MS)
      if (answer?.ok) return { outcome: 'accepted' }
      const said = answer ? classifyRejection(answer.error) : undefined
      if (said?.outcome === 'known') return said
      if (said?.outcome === 'stale' && (await isOnChain(context, raw))) return { outcome: 'known' }
      if (said && said.outcome !== 'unknown' && !mayBeOnItsWay) {
        context.log.info({ outcome: said.outcome, said: answer?.error.message }, 'a node refused a transaction')
        return said
      }
      reasons.push(answer?.error.message ?? 'no answer')
      mayBeOnItsWay = true
    } catch (error) {
      if (!(error instanceof EndpointError)) throw error
      reasons.push(error.message)
      mayBeOnItsWay ||= error.kind !== 'refused'
    }
  }
  return { outcome: 'unknown', reason: reasons.join('; ') }
}

/** "Nonce too low" is also what nodes say of a transaction that is already in a block. */
async function isOnChain({ rpc }: EvmContext, raw: string): Promise<boolean> {
  const answer = await rpc.tryRequest('eth_getTransactionByHash', [keccak256(raw as Hex)])
  return answer.ok && answer.result !== null
}

const INVALID_GAS_LIMIT: BroadcastResult = {
  outcome: 'refused',
  code: 'SIMULATION_FAILED',
  reason: 'the gas limit is too low or too high',
}

type RejectionRule = (message: string) => BroadcastResult

/** The reason is told to whoever sent the bytes, so it is ours: what a node says stays in the log (contract 4). */
const refuseWith =
  (code: 'INSUFFICIENT_GAS' | 'SIMULATION_FAILED' | 'UNDERPRICED', reason: string): RejectionRule =>
  () => ({ outcome: 'refused', code, reason })

/**
 * What geth (and bor, op-geth), erigon, nethermind, besu, reth and anvil say, the first that fits. Order matters:
 * "replacement transaction underpriced" before "underpriced", "already known" before everything.
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
    refuseWith('SIMULATION_FAILED', 'nodes do not take a transaction of this form'),
  ],
]

/** What a node's refusal of raw bytes means. Words that are not known decide nothing: they may be on their way. */
export function classifyRejection({ message }: RpcError): BroadcastResult {
  const saying = REJECTION_RULES.find(([words]) => words.test(message))
  return saying ? saying[1](message) : { outcome: 'unknown', reason: message }
}
