import { decodeUnsigned, type SenderState } from '../../chains/index.ts'
import { assert } from '../../kernel/index.ts'
import { isIssued, type UnsubmittedTransaction } from '../lifecycle/transaction.ts'

/**
 * What to do with a transaction's bytes (rule 1):
 *
 * - `reuse`: the issued bytes can still land.
 * - `reprice`: the fee cap is below the base fee; build them with the same nonce and higher fees.
 * - `rebuild`: there are none or they are dead; build new ones with another nonce or blockhash.
 * - `wait`: whether they landed is not settled yet; build nothing.
 */
export type RebuildDecision = 'reuse' | 'reprice' | 'rebuild' | 'wait'

/** Pure. */
export function decideRebuild(transaction: UnsubmittedTransaction, senderState: SenderState): RebuildDecision {
  if (!isIssued(transaction)) return 'rebuild'
  if (senderState.family === 'svm') {
    return senderState.height <= (transaction.lastValidBlockHeight ?? 0) ? 'reuse' : 'wait'
  }
  assert(transaction.nonce !== null, 'bytes of an EVM chain have a nonce')
  if (transaction.nonce < senderState.latestNonce) return 'wait'
  return decodeUnsigned(transaction.unsignedBytes).maxFeePerGas < senderState.baseFeePerGas ? 'reprice' : 'reuse'
}
