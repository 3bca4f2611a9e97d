import { CallUnfinishedError } from '../../chains/index.ts'
import { inTransaction } from '../../database/index.ts'
import {
  AGENT_CHAIN_COOLDOWN_MS,
  AGENT_INSUFFICIENT_GAS_RETRY_MS,
  AGENT_UNSETTLED_RETRY_MS,
  addMilliseconds,
  assert,
  Failure,
  outageLogsBy,
} from '../../kernel/index.ts'
import { ContractUnavailableError } from '../../venues/index.ts'
import { chainOf, type Parts } from '../lifecycle/parts.ts'
import { lockOperation } from '../lifecycle/reads/lock-operation.ts'
import { readOperation } from '../lifecycle/reads/read-operations.ts'
import { isPending } from '../lifecycle/states/transaction.ts'
import { checkMove, type MoveCheckResult } from '../planning/check-move.ts'
import { invalidateConsumedNonces } from '../transactions/invalidate-consumed-nonces.ts'
import { hasOutstandingBytes } from '../transactions/outstanding-bytes.ts'
import { decideRebuild } from '../transactions/rebuild-decision.ts'
import { commitBytes, type IssueRequest, type IssueResult, isLeasable } from './commit-bytes.ts'
import { decideReplacement } from './decide-replacement.ts'
import { endAgentOperation } from './end-agent-operation.ts'
import type { TransactionClaim } from './lease.ts'
import { rewriteSteps } from './rewrite-steps.ts'
import {
  CHAIN_UNAVAILABLE_REASON,
  isStillClaimed,
  pauseWork,
  recordFailedAttempt,
  releaseClaim,
} from './start-lease.ts'

const outagesOf = outageLogsBy({
  away: 'failed to issue a transaction to an agent',
  back: 'a transaction is issued to agents again',
  level: 'error',
})

/**
 * Issues bytes for a claimed transaction. Issued bytes are reused for as long as they can land. New ones are built if
 * there are none or they are dead, after another check of the plan (contract 9, rule 1, 2, 10, 12). Reads the chain
 * outside any database transaction, and commits bytes before it returns them.
 */
export async function issueBytes(parts: Parts, claim: TransactionClaim, leaseDurationMs: number): Promise<IssueResult> {
  const outages = outagesOf(parts.log, parts.log)
  const { organizationId, operationId, transactionId, blockchain } = claim
  const part = { organizationId, operationId, transactionId, blockchain }
  try {
    const result = await tryIssueBytes(parts, claim, leaseDurationMs)
    outages.recovered(part)
    return result
  } catch (error) {
    const at = parts.clock.now()
    // One contract that does not answer says nothing about the chain: other transactions continue (rule 12).
    if (error instanceof ContractUnavailableError) {
      const reason = 'A contract of its strategy does not respond.'
      return await recordFailedCheck(parts, claim, { kind: 'temporarily_invalid', reason })
    }
    // A node that has too much to do gives up as well, so this ends no operation.
    if (error instanceof CallUnfinishedError) {
      const until = addMilliseconds(at, AGENT_INSUFFICIENT_GAS_RETRY_MS)
      await pauseWork(parts.db, claim, until, 'A node could not finish its simulation.')
      return 'retry_later'
    }
    if (error instanceof Failure && error.code === 'CHAIN_UNAVAILABLE') {
      if (chainOf(parts, blockchain).isResting()) {
        await releaseClaim(parts.db, claim, at)
        return 'unavailable'
      }
      // The next transaction may need nothing that the node refused for this one.
      await pauseWork(parts.db, claim, addMilliseconds(at, AGENT_CHAIN_COOLDOWN_MS), CHAIN_UNAVAILABLE_REASON)
      return 'retry_later'
    }
    // A transaction that fails here must not block the queue.
    outages.failed(part, { err: error })
    await pauseWork(
      parts.db,
      claim,
      addMilliseconds(at, AGENT_INSUFFICIENT_GAS_RETRY_MS),
      'Something went wrong on our side.',
    )
    return 'retry_later'
  }
}

async function tryIssueBytes(parts: Parts, claim: TransactionClaim, leaseDurationMs: number): Promise<IssueResult> {
  const scope = { organizationId: claim.organizationId, walletProfileId: null }
  const operation = await readOperation(parts.db, scope, claim.operationId)
  const transaction = operation.transactions.find(({ transactionId }) => transactionId === claim.transactionId)
  // It ended or landed after the claim, and has left the queue.
  if (!isLeasable(operation, transaction)) return 'retry_later'
  const chain = chainOf(parts, claim.blockchain)
  const commit = (request: IssueRequest) =>
    commitBytes(parts, chain, { claim, leaseDurationMs, read: transaction, request })
  const pause = async (milliseconds: number, reason: string): Promise<'retry_later'> => {
    await pauseWork(parts.db, claim, addMilliseconds(parts.clock.now(), milliseconds), reason)
    return 'retry_later'
  }

  if (isPending(transaction)) {
    const decided = await decideReplacement(parts, chain, claim, transaction)
    return decided === 'deferred' ? 'retry_later' : commit(decided)
  }
  if (transaction.state === 'issued') {
    const senderState = await chain.senderState(transaction.sender)
    const decision = decideRebuild(chain, transaction, senderState)
    if (decision === 'reuse') return commit({ decision })
    if (decision === 'wait') {
      return pause(
        (await invalidateConsumedNonces(parts, chain, operation, transaction)) ? 0 : AGENT_UNSETTLED_RETRY_MS,
        'It is not known yet whether the issued bytes landed.',
      )
    }
    assert(decision === 'reprice', 'issued bytes are not dead')
    return commit({ decision, senderState, gas: chain.gasLimitOf(transaction.unsignedBytes) })
  }
  // Where there are nonces, committing the bytes checks this, because it depends on the nonce.
  if (chain.replayProtection === 'blockhash' && (await hasOutstandingBytes(parts.db, operation, transaction))) {
    return pause(AGENT_UNSETTLED_RETRY_MS, 'Bytes of an earlier operation of this wallet may still land.')
  }
  const check = await checkMove(parts, chain, operation)
  if (check.kind === 'insufficient_gas') return pause(AGENT_INSUFFICIENT_GAS_RETRY_MS, check.reason)
  if (check.kind === 'approvals_changed') {
    await rewriteSteps(parts, operation, check.steps)
    return 'retry_later'
  }
  if (check.kind !== 'valid') return recordFailedCheck(parts, claim, check)
  const { steps, gas, senderState, bufferSetAt } = check
  const committed = await commit({ decision: 'rebuild', steps, gas, senderState, bufferSetAt })
  // The bytes that blocked it may be dead without this being recorded yet.
  if (committed === 'retry_later') await invalidateConsumedNonces(parts, chain, operation, transaction)
  return committed
}

/** Aborts an operation whose plan is permanently invalid, or that failed its checks too often for too long. */
async function recordFailedCheck(
  parts: Parts,
  claim: TransactionClaim,
  { kind, reason }: Extract<MoveCheckResult, { reason: string }>,
): Promise<'retry_later'> {
  await inTransaction(parts.db, async (tx) => {
    const at = parts.clock.now()
    const scope = { organizationId: claim.organizationId, walletProfileId: null }
    const operation = await lockOperation(tx, scope, claim.operationId)
    // A check that took longer than its claim is outdated, and another agent may have the bytes (rule 4).
    if (operation.state !== 'EXECUTING' || !(await isStillClaimed(tx, claim))) return
    const isLast = kind === 'invalid' || (await recordFailedAttempt(tx, claim, at, reason))
    if (isLast)
      await endAgentOperation(tx, {
        operation,
        event: 'aborted',
        explanation: `The plan is no longer valid: ${reason}`,
        at,
      })
  })
  return 'retry_later'
}
