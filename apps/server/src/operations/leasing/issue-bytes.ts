import { decodeUnsigned } from '../../chains/index.ts'
import { inTransaction } from '../../database/index.ts'
import {
  AGENT_INSUFFICIENT_GAS_RETRY_MS,
  AGENT_UNSETTLED_RETRY_MS,
  addMilliseconds,
  assert,
  Failure,
} from '../../kernel/index.ts'
import { lockOperation } from '../lifecycle/lock-operation.ts'
import { chainOf, type Parts } from '../lifecycle/parts.ts'
import { readOperation } from '../lifecycle/read-operations.ts'
import { isUnsigned } from '../lifecycle/transaction.ts'
import { checkMove, type MoveCheckResult } from '../planning/check-move.ts'
import { invalidateConsumedNonces } from '../transactions/invalidate-consumed-nonces.ts'
import { hasOutstandingBytes } from '../transactions/outstanding-bytes.ts'
import { decideRebuild } from '../transactions/rebuild-decision.ts'
import { commitBytes, type IssueRequest, type IssueResult } from './commit-bytes.ts'
import { endAgentOperation } from './end-agent-operation.ts'
import type { TransactionClaim } from './lease.ts'
import { rewriteSteps } from './rewrite-steps.ts'
import { pauseWork, recordFailedAttempt, releaseClaim } from './start-lease.ts'

/**
 * Makes bytes for a claimed transaction. Bytes that were handed out before are the same again for as long as they can
 * land; new ones are built when there are none or they are dead, after the plan was checked again (contract 9,
 * rule 1, 2, 10, 12). The chain is read outside of any transaction; bytes are committed before they are answered.
 */
export async function issueBytes(parts: Parts, claim: TransactionClaim, leaseDurationMs: number): Promise<IssueResult> {
  try {
    return await tryIssueBytes(parts, claim, leaseDurationMs)
  } catch (error) {
    const at = parts.clock.now()
    if (error instanceof Failure && error.code === 'CHAIN_UNAVAILABLE') {
      await releaseClaim(parts.db, claim, at)
      return 'silent'
    }
    // One that we cannot make sense of must not keep every agent from the others.
    parts.log.error({ err: error, ...claim, leaseToken: undefined }, 'a transaction could not be handed out')
    await pauseWork(
      parts.db,
      claim,
      addMilliseconds(at, AGENT_INSUFFICIENT_GAS_RETRY_MS),
      'Something went wrong on our side.',
    )
    return 'not_now'
  }
}

async function tryIssueBytes(parts: Parts, claim: TransactionClaim, leaseDurationMs: number): Promise<IssueResult> {
  const scope = { organizationId: claim.organizationId, walletProfileId: null }
  const operation = await readOperation(parts.db, scope, claim.operationId)
  const transaction = operation.transactions.find(({ transactionId }) => transactionId === claim.transactionId)
  // What ended or was submitted between the claim and this read has left the queue by itself.
  if (operation.state !== 'EXECUTING' || !transaction || !isUnsigned(transaction)) return 'not_now'
  const chain = chainOf(parts, claim.blockchain)
  const commit = (wanted: IssueRequest) => commitBytes(parts, chain, claim, leaseDurationMs, transaction, wanted)
  const pause = async (milliseconds: number, because: string): Promise<'not_now'> => {
    await pauseWork(parts.db, claim, addMilliseconds(parts.clock.now(), milliseconds), because)
    return 'not_now'
  }

  if (transaction.state === 'issued') {
    const facts = await chain.senderState(transaction.sender)
    const decision = decideRebuild(transaction, facts)
    if (decision === 'stored') return commit({ decision })
    if (decision === 'unsettled') {
      const because = 'Whether the bytes that were handed out landed is not settled.'
      return pause(
        (await invalidateConsumedNonces(parts, chain, operation, transaction)) ? 0 : AGENT_UNSETTLED_RETRY_MS,
        because,
      )
    }
    assert(decision === 'repriced', 'bytes that are watched are not dead')
    return commit({ decision, facts, gas: decodeUnsigned(transaction.unsignedBytes).gasLimit })
  }
  if (chain.network.family === 'svm' && (await hasOutstandingBytes(parts.db, operation, transaction))) {
    return pause(AGENT_UNSETTLED_RETRY_MS, 'Bytes of an earlier operation of this wallet may still land.')
  }
  const verdict = await checkMove(parts, chain, operation)
  if (verdict.kind === 'poor') return pause(AGENT_INSUFFICIENT_GAS_RETRY_MS, verdict.why)
  if (verdict.kind === 'other_approvals') {
    await rewriteSteps(parts, operation, verdict.steps)
    return 'not_now'
  }
  if (verdict.kind !== 'holds') return recordFailedCheck(parts, claim, verdict)
  const committed = await commit({ ...verdict, decision: 'renumbered' })
  // What kept them back may be dead, and nobody knows yet.
  if (committed === 'not_now') await invalidateConsumedNonces(parts, chain, operation, transaction)
  return committed
}

/** Ends what cannot hold any more, or what was refused often enough for long enough; otherwise it waits. */
async function recordFailedCheck(
  parts: Parts,
  claim: TransactionClaim,
  { kind, why }: Extract<MoveCheckResult, { why: string }>,
): Promise<'not_now'> {
  await inTransaction(parts.db, async (tx) => {
    const at = parts.clock.now()
    const scope = { organizationId: claim.organizationId, walletProfileId: null }
    const operation = await lockOperation(tx, scope, claim.operationId)
    if (operation.state !== 'EXECUTING') return
    const isLast = kind === 'gone' || (await recordFailedAttempt(tx, claim, at, why))
    if (isLast) await endAgentOperation(tx, operation, 'aborted', `The plan no longer holds: ${why}`, at)
  })
  return 'not_now'
}
