import type { BytesValidity, Chain, SenderState } from '../../chains/index.ts'
import { isIssued, type UnsubmittedTransaction } from '../lifecycle/states/transaction.ts'

/**
 * What to do with a transaction's bytes (rule 1):
 *
 * - `reuse`: the issued bytes can still land.
 * - `reprice`: the fee cap is below the base fee; build them with the same nonce and higher fees.
 * - `rebuild`: there are none or they are dead; build new ones with another nonce or blockhash.
 * - `wait`: whether they landed is not settled yet; build nothing.
 */
export type RebuildDecision = 'reuse' | 'reprice' | 'rebuild' | 'wait'

const DECISIONS: Readonly<Record<BytesValidity, RebuildDecision>> = {
  valid: 'reuse',
  underpriced: 'reprice',
  expired: 'wait',
}

/** Pure. */
export function decideRebuild(
  chain: Chain,
  transaction: UnsubmittedTransaction,
  senderState: SenderState,
): RebuildDecision {
  return isIssued(transaction) ? DECISIONS[chain.bytesValidity(transaction, senderState)] : 'rebuild'
}
