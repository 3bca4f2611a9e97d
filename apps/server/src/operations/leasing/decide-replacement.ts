import type { Chain, SenderState } from '../../chains/index.ts'
import type { Parts } from '../lifecycle/parts.ts'
import { readAgentWork } from '../lifecycle/reads/read-agent-work.ts'
import { isReplacementIssued } from '../lifecycle/states/agent-work.ts'
import type { PendingTransaction } from '../lifecycle/states/transaction.ts'
import type { IssueRequest } from './commit-bytes.ts'
import type { TransactionClaim } from './lease.ts'
import { nextReplacementAt } from './next-replacement-at.ts'
import { deferReplacement } from './start-lease.ts'

/**
 * Which bytes replace a submitted transaction that no block includes (rule 1). Nonce, destination, data, value and gas
 * limit stay, so whichever version lands is the planned transaction. A replacement that no agent reported is issued
 * again as it is; otherwise the fees rise.
 *
 * `deferred`: the replacement waits, because the nonce was used a moment ago, an earlier transaction of the sender must
 * land first, the fees are at their ceiling, or the wallet cannot pay them.
 */
export async function decideReplacement(
  parts: Parts,
  chain: Chain,
  claim: TransactionClaim,
  transaction: PendingTransaction,
): Promise<IssueRequest | 'deferred'> {
  const senderState = await chain.senderState(transaction.sender)
  const validity = chain.bytesValidity(transaction, senderState)
  const defer = async (reason: string): Promise<'deferred'> => {
    await deferReplacement(parts.db, claim, nextReplacementAt(parts), reason)
    return 'deferred'
  }
  if (validity === 'expired') return defer('It is not known yet whether the transaction landed.')
  const work = await readAgentWork(parts.db, claim.organizationId, claim.transactionId)
  if (isReplacementIssued(work) && validity === 'valid') return { decision: 'reuse' }
  // No fee helps it, and each rise would use up some of what its ceiling allows for later.
  if (waitsForEarlierNonce(transaction, senderState))
    return defer('An earlier transaction of its wallet must land first.')
  const gas = chain.gasLimitOf(transaction.unsignedBytes)
  const raised = chain.replacementFees(transaction.unsignedBytes, senderState)
  if (!raised) return defer('Its fees are at the limit for replacements.')
  if (chain.networkFee([gas], raised) > raised.native) return defer('The wallet cannot pay the fee of a replacement.')
  return { decision: 'reprice', senderState: raised, gas }
}

function waitsForEarlierNonce({ nonce }: PendingTransaction, { nonces }: SenderState): boolean {
  return nonce !== null && nonces !== null && nonce > nonces.latest
}
