import type { BroadcastResult } from '../port/chain.ts'
import { EndpointError, type RpcError } from '../rpc/endpoint.ts'
import { SEND_TIMEOUT_MS } from '../rpc/limits.ts'
import type { SolanaContext, SolanaRpcResponse } from './context.ts'
import { decodeMessage, decodeTransaction } from './message.ts'
import { decodeTransactionError } from './transaction-errors.ts'

const PREFLIGHT_FAILED = -32_002
const REJECTION_CODES = new Set([-32_003, -32_602, -32_006, -32_013])

/**
 * Sends bytes that were committed before (rule 5) to the endpoints in turn, until one answers. A refusal counts
 * for certain only if no endpoint before it may have taken the bytes. Never throws for what nodes say.
 */
export async function broadcast(context: SolanaContext, raw: string): Promise<BroadcastResult> {
  const reasons: string[] = []
  let mayBeOnItsWay = false
  for (const endpoint of context.rpc.endpointsByAvailability()) {
    const params = [raw, { encoding: 'base64', preflightCommitment: 'confirmed' }]
    try {
      const [answer] = await endpoint.send([{ method: 'sendTransaction', params }], SEND_TIMEOUT_MS)
      if (answer?.ok) return { outcome: 'accepted' }
      const said = answer ? await classifyRejection(context, raw, answer.error) : undefined
      if (said?.outcome === 'known') return said
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

/** What a node's refusal means. */
async function classifyRejection(
  context: SolanaContext,
  raw: string,
  { code, message, data }: RpcError,
): Promise<BroadcastResult> {
  // The reason is told to whoever sent the bytes, so it is ours: what a node says stays in the log (contract 4).
  if (REJECTION_CODES.has(code)) {
    return { outcome: 'refused', code: 'SIMULATION_FAILED', reason: 'nodes do not take a transaction of this form' }
  }
  if (code !== PREFLIGHT_FAILED) return { outcome: 'unknown', reason: message }
  const { err, logs } = (data ?? {}) as { err?: unknown; logs?: readonly string[] | null }
  if (err === 'AlreadyProcessed') return { outcome: 'known' }
  if (err === 'BlockhashNotFound') {
    const stale = await isStale(context, raw)
    return { outcome: stale ? 'stale' : 'unknown', reason: message }
  }
  const { code: found, reason } = decodeTransactionError(err, logs ?? [], context.programErrors)
  const lacksFee = err === 'InsufficientFundsForFee' || err === 'AccountNotFound'
  if (lacksFee || found === 'INSUFFICIENT_FUNDS') return { outcome: 'refused', code: 'INSUFFICIENT_GAS', reason }
  return { outcome: 'refused', code: 'SIMULATION_FAILED', reason }
}

/** A node that is behind does not know a fresh blockhash either; only one that the cluster forgot is gone. */
async function isStale({ rpc }: SolanaContext, raw: string): Promise<boolean> {
  const { blockhash } = decodeMessage(decodeTransaction(raw).messageBytes)
  const answer = await rpc.tryRequest('isBlockhashValid', [blockhash, { commitment: 'confirmed' }])
  return answer.ok && !(answer.result as SolanaRpcResponse<boolean>).value
}
