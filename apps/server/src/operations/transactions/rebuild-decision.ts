import { decodeUnsigned, type SenderState } from '../../chains/index.ts'
import { assert } from '../../kernel/index.ts'
import { isIssued, type UnsignedTransaction } from '../lifecycle/transaction.ts'

/**
 * What becomes of bytes that were handed out (rule 1): they can still land as they are; they can with a higher
 * fee and the same nonce; they are dead, so that new ones may have another nonce or blockhash; or that is not settled
 * yet, and nothing may be rebuilt. Pure.
 */
export type RebuildDecision = 'stored' | 'repriced' | 'renumbered' | 'unsettled'

export function decideRebuild(transaction: UnsignedTransaction, facts: SenderState): RebuildDecision {
  if (!isIssued(transaction)) return 'renumbered'
  if (facts.family === 'svm') return facts.height <= (transaction.lastValidBlockHeight ?? 0) ? 'stored' : 'unsettled'
  assert(transaction.nonce !== null, 'bytes of an EVM chain have a nonce')
  if (transaction.nonce < facts.latestNonce) return 'unsettled'
  return decodeUnsigned(transaction.unsignedBytes).maxFeePerGas < facts.baseFeePerGas ? 'repriced' : 'stored'
}
