import { evmFields } from '../chains/index.ts'
import { inTransaction } from '../database/index.ts'
import { AGENT_POOR_MS, AGENT_UNSETTLED_MS, assert, Failure, later } from '../kernel/index.ts'
import type { Claim } from './agent-lease.ts'
import { buryUsedUp } from './bury-used-up.ts'
import { fateOf } from './bytes-fate.ts'
import { checkMove, type Verdict } from './check-move.ts'
import { commitBytes, type HandOut, type WantedBytes } from './commit-bytes.ts'
import { endAgentOperation } from './end-agent-operation.ts'
import { giveBack, noteRefused, pauseWork } from './keep-lease.ts'
import { hasLiveLeftovers } from './live-leftovers.ts'
import { chainOf, type Parts } from './parts.ts'
import { readLocked } from './read-locked.ts'
import { readOperation } from './read-operations.ts'
import { rewriteSteps } from './rewrite-steps.ts'

/**
 * Makes bytes for a claimed transaction. Bytes that were handed out before are the same again for as long as they can
 * land; new ones are built when there are none or they are dead, after the plan was checked again (decisions 9,
 * money-rules 1, 2, 10, 12). The chain is read outside of any transaction; bytes are committed before they are answered.
 */
export async function handOut(parts: Parts, claim: Claim, leaseDurationMs: number): Promise<HandOut> {
  try {
    return await tryToHandOut(parts, claim, leaseDurationMs)
  } catch (error) {
    const at = parts.clock.now()
    if (error instanceof Failure && error.code === 'CHAIN_UNAVAILABLE') {
      await giveBack(parts.db, claim, at)
      return 'silent'
    }
    // One that we cannot make sense of must not keep every agent from the others.
    parts.log.error({ err: error, ...claim, leaseToken: undefined }, 'a transaction could not be handed out')
    await pauseWork(parts.db, claim, later(at, AGENT_POOR_MS), 'Something went wrong on our side.')
    return 'not_now'
  }
}

async function tryToHandOut(parts: Parts, claim: Claim, leaseDurationMs: number): Promise<HandOut> {
  const sight = { organizationId: claim.organizationId, walletProfileId: null }
  const operation = await readOperation(parts.db, sight, claim.operationId)
  const transaction = operation.transactions.find(({ transactionId }) => transactionId === claim.transactionId)
  // What ended or was submitted between the claim and this read has left the queue by itself.
  if (operation.state !== 'EXECUTING' || transaction?.state !== 'unsigned') return 'not_now'
  const chain = chainOf(parts, claim.blockchain)
  const commit = (wanted: WantedBytes) => commitBytes(parts, chain, claim, leaseDurationMs, transaction, wanted)
  const pause = async (milliseconds: number, because: string): Promise<'not_now'> => {
    await pauseWork(parts.db, claim, later(parts.clock.now(), milliseconds), because)
    return 'not_now'
  }

  if (transaction.watched) {
    const facts = await chain.sender(transaction.sender)
    const fate = fateOf(transaction, facts)
    if (fate === 'stored') return commit({ fate })
    if (fate === 'unsettled') {
      const because = 'Whether the bytes that were handed out landed is not settled.'
      return pause((await buryUsedUp(parts, chain, operation, transaction)) ? 0 : AGENT_UNSETTLED_MS, because)
    }
    assert(fate === 'repriced', 'bytes that are watched are not dead')
    return commit({ fate, facts, gas: evmFields(transaction.unsignedBytes).gasLimit })
  }
  if (chain.network.family === 'svm' && (await hasLiveLeftovers(parts.db, operation, transaction))) {
    return pause(AGENT_UNSETTLED_MS, 'Bytes of an earlier operation of this wallet may still land.')
  }
  const verdict = await checkMove(parts, chain, operation)
  if (verdict.kind === 'poor') return pause(AGENT_POOR_MS, verdict.why)
  if (verdict.kind === 'other_approvals') {
    await rewriteSteps(parts, operation, verdict.steps)
    return 'not_now'
  }
  if (verdict.kind !== 'holds') return refuse(parts, claim, verdict)
  const committed = await commit({ ...verdict, fate: 'renumbered' })
  // What kept them back may be dead, and nobody knows yet.
  if (committed === 'not_now') await buryUsedUp(parts, chain, operation, transaction)
  return committed
}

/** Ends what cannot hold any more, or what was refused often enough for long enough; otherwise it waits. */
async function refuse(
  parts: Parts,
  claim: Claim,
  { kind, why }: Extract<Verdict, { why: string }>,
): Promise<'not_now'> {
  await inTransaction(parts.db, async (tx) => {
    const at = parts.clock.now()
    const sight = { organizationId: claim.organizationId, walletProfileId: null }
    const operation = await readLocked(tx, sight, claim.operationId)
    if (operation.state !== 'EXECUTING') return
    const isLast = kind === 'gone' || (await noteRefused(tx, claim, at, why))
    if (isLast) await endAgentOperation(tx, operation, 'aborted', `The plan no longer holds: ${why}`, at)
  })
  return 'not_now'
}
