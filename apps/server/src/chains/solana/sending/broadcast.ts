import { base58 } from '@scure/base'
import { outageLogsBy, RPC_SEND_TIMEOUT_MS } from '../../../kernel/index.ts'
import type { BroadcastResult } from '../../port/transaction-bytes.ts'
import { EndpointError, type RpcError } from '../../rpc/endpoint.ts'
import type { SolanaContext, SolanaRpcResponse } from '../context.ts'
import { decodeTransactionError } from '../errors/transaction-errors.ts'
import { decodeMessage, decodeTransaction } from '../transactions/message.ts'

const PREFLIGHT_FAILED = -32_002
const MIN_CONTEXT_SLOT_NOT_REACHED = -32_016
/** With these, a node took nothing. */
const NOT_TAKEN = new Set([PREFLIGHT_FAILED, MIN_CONTEXT_SLOT_NOT_REACHED])
const REJECTION_CODES = new Set([-32_003, -32_602, -32_006, -32_013])

/** Where nodes keep nothing, bytes are sent again and again until they land or die. */
const refusalsOf = outageLogsBy({
  away: 'a node refused a transaction',
  back: 'a node accepted a transaction that was refused before',
  level: 'info',
})

/**
 * Sends committed bytes (rule 5) to the endpoints in turn until one responds. A refusal is definite only if no earlier
 * endpoint may have accepted the bytes, and only from a node that has the last final block. Never throws for a node's
 * response.
 */
export async function broadcast(
  context: SolanaContext,
  raw: string,
  lastValidBlockHeight?: number,
): Promise<BroadcastResult> {
  const refusals = refusalsOf(context.rpc, context.log)
  const signature = signatureOf(raw)
  const reasons: string[] = []
  let mayBeAccepted = false
  for (const endpoint of context.rpc.endpointsByAvailability()) {
    const params = [raw, { encoding: 'base64', preflightCommitment: 'confirmed', ...notBehind(context) }]
    try {
      const [response] = await endpoint.send([{ method: 'sendTransaction', params }], RPC_SEND_TIMEOUT_MS)
      if (response?.ok) {
        refusals.recovered({ signature })
        return { outcome: 'accepted' }
      }
      const rejection = response
        ? await classifyRejection(context, { raw, lastValidBlockHeight }, response.error)
        : undefined
      if (rejection?.outcome === 'known') {
        refusals.recovered({ signature })
        return rejection
      }
      if (rejection && rejection.outcome !== 'unknown' && !mayBeAccepted) {
        refusals.failed({ signature }, { outcome: rejection.outcome, reason: response?.error.message })
        return rejection
      }
      reasons.push(response?.error.message ?? 'no response')
      mayBeAccepted ||= response === undefined || response.ok || !NOT_TAKEN.has(response.error.code)
    } catch (error) {
      if (!(error instanceof EndpointError)) throw error
      reasons.push(error.message)
      mayBeAccepted ||= error.kind !== 'refused'
    }
  }
  return { outcome: 'unknown', reason: reasons.join('; ') }
}

/** The first signature, which follows the number of signatures. */
const signatureOf = (raw: string): string => base58.encode(Buffer.from(raw, 'base64').subarray(1, 65))

interface SentBytes {
  readonly raw: string
  readonly lastValidBlockHeight: number | undefined
}

/** A node that lacks the last final block knows neither fresh blockhashes nor balances. */
function notBehind({ highest, final }: SolanaContext): { readonly minContextSlot?: number } {
  const head = highest[final].last()
  return head ? { minContextSlot: head.number } : {}
}

/** The meaning of a node's refusal. */
async function classifyRejection(
  context: SolanaContext,
  sent: SentBytes,
  { code, message, data }: RpcError,
): Promise<BroadcastResult> {
  // The sender of the bytes sees this reason, so it is the service's wording; the node's stays in the log (contract 4).
  if (REJECTION_CODES.has(code)) {
    return { outcome: 'refused', code: 'SIMULATION_FAILED', reason: 'nodes do not accept a transaction of this form' }
  }
  if (code !== PREFLIGHT_FAILED) return { outcome: 'unknown', reason: message }
  const { err, logs } = (data ?? {}) as { err?: unknown; logs?: readonly string[] | null }
  if (err === 'AlreadyProcessed') return { outcome: 'known' }
  if (err === 'BlockhashNotFound') {
    const stale = await isStale(context, sent)
    return { outcome: stale ? 'stale' : 'unknown', reason: message }
  }
  const { code: found, reason } = decodeTransactionError(err, logs ?? [], context.programErrors)
  const lacksFee = err === 'InsufficientFundsForFee' || err === 'AccountNotFound'
  if (lacksFee || found === 'INSUFFICIENT_FUNDS') return { outcome: 'refused', code: 'INSUFFICIENT_GAS', reason }
  return { outcome: 'refused', code: 'SIMULATION_FAILED', reason }
}

/**
 * A lagging node does not know a fresh blockhash either, and the one that is asked about it may lag as well. A height
 * that the cluster has reached proves that no later block takes the bytes.
 */
async function isStale(context: SolanaContext, { raw, lastValidBlockHeight }: SentBytes): Promise<boolean> {
  const options = { commitment: 'confirmed', ...notBehind(context) }
  if (lastValidBlockHeight !== undefined) {
    const asked = await context.rpc.tryRequest('getBlockHeight', [options])
    const reported = asked.ok && typeof asked.result === 'number' ? asked.result : 0
    return Math.max(reported, context.highest.confirmed.last()?.height ?? 0) > lastValidBlockHeight
  }
  const { blockhash } = decodeMessage(decodeTransaction(raw).messageBytes)
  const response = await context.rpc.tryRequest('isBlockhashValid', [blockhash, options])
  return response.ok && !(response.result as SolanaRpcResponse<boolean>).value
}
