import { markUnwinding } from '../allocations/index.ts'
import { inTransaction, type Tx } from '../database/index.ts'
import { Failure } from '../kernel/index.ts'
import { post } from '../ledger/index.ts'
import { counterpartiesOf, type Decision, decide, policyInForce } from '../policy/index.ts'
import { advance } from './advance.ts'
import type { Bytes } from './build-bytes.ts'
import { type FinishPlan, newTransaction } from './commit-plan.ts'
import { findMonitored } from './find-monitored.ts'
import { heldByOthers, holdBack, requireAboveBuffer } from './hold-back.ts'
import { insertOperation } from './insert-operation.ts'
import { INITIAL, transitionFor } from './machine.ts'
import { offerToAgents } from './offer-to-agents.ts'
import type { Operation } from './operation.ts'
import type { Parts } from './parts.ts'
import type { Move } from './plan-move.ts'
import { type Drawn, lockWallet, readForPlanning } from './read-for-planning.ts'
import { reserveEntry } from './reservation.ts'

/** What the policy's answer does to a new operation; a refusal is recorded as an operation that was rejected. */
const EVENT_OF = { approve: 'ready', require_approval: 'policy_asks', reject: 'policy_asks' } as const

/**
 * Writes a move for the custody agent: asks the policy in force, holds the amount back, and offers the work to agents if
 * nobody has to approve it; all or nothing.
 *
 * Errors: OPERATION_IN_PROGRESS, INSUFFICIENT_BALANCE: something happened since the chain was read.
 */
export async function commitMove(parts: Parts, move: Move, finish?: FinishPlan): Promise<Operation> {
  return inTransaction(parts.db, async (tx) => {
    const at = parts.clock.now()
    const { wallet } = move.monitored
    const drawn = await lockWallet(tx, wallet, move.steps.length)
    const state = await readForPlanning(tx, wallet, move.strategy.tokenAddress, move.facts)
    const [blocking] = state.unfinished
    if (blocking) throw new Failure('OPERATION_IN_PROGRESS', { details: { operationId: blocking.operationId } })
    const { opWallet } = await findMonitored(tx, move)
    if (move.onChain !== undefined) {
      const free = move.onChain - heldByOthers(state, new Set())
      requireAboveBuffer(move.worth, free, opWallet.buffer, move.strategy.tokenDecimals)
    }
    const reservation = holdBack(
      { ...move, target: { wallet, strategy: move.strategy } },
      drawn.operationId,
      state,
      new Set(),
    )
    const decision = await askPolicy(tx, move, at)
    const began = transitionFor(INITIAL, EVENT_OF[decision.outcome])!
    const operation = newOperation(move, drawn, decision, began.to, at)
    await insertOperation(tx, operation, reservation, ['operation.created', ...(began.tells ?? [])])
    await post(tx, reservation ? [reserveEntry(reservation, at)] : [])
    if (move.type === 'UNWIND') await markUnwinding(tx, wallet, move.strategy.id, true)
    const written = decision.outcome === 'reject' ? await refuse(tx, operation, decision, at) : operation
    if (decision.outcome === 'approve') await offerToAgents(tx, operation, at)
    await finish?.(tx, written)
    return written
  })
}

async function askPolicy(tx: Tx, move: Move, at: Date): Promise<Decision> {
  const { wallet } = move.monitored
  const { strategy } = move
  const policy = await policyInForce(tx, wallet.organizationId)
  return decide(policy, {
    type: move.type,
    amount: { baseUnits: move.moveAmount ?? move.worth, decimals: strategy.tokenDecimals },
    walletId: wallet.walletId,
    custodyProvider: wallet.custodyProvider ?? 'self',
    counterparties: counterpartiesOf(strategy),
    at,
  })
}

/** The policy says no: the operation is written down as rejected by nobody, and holds nothing back. */
async function refuse(tx: Tx, operation: Operation, decision: Decision, at: Date): Promise<Operation> {
  const explanation = `The approval policy rejected the operation: ${decision.explanation}`
  const ended = await advance(tx, [{ operation, event: 'rejected', explanation }], at)
  await post(tx, ended.entries)
  await tx
    .updateTable('operations')
    .set({ rejected_at: at })
    .where('organization_id', '=', operation.organizationId)
    .where('id', '=', operation.operationId)
    .execute()
  return { ...operation, state: 'REJECTED', failureReason: 'REJECTED', rejectedAt: at, completedAt: at }
}

function newOperation(move: Move, drawn: Drawn, decision: Decision, state: Operation['state'], at: Date): Operation {
  const { wallet, opWallet } = move.monitored
  const { operationId } = drawn
  return {
    organizationId: wallet.organizationId,
    operationId,
    walletId: wallet.walletId,
    strategyId: move.strategy.id,
    type: move.type,
    executor: 'agent',
    state,
    amount: move.amount,
    settledAmount: null,
    cancelledOperations: [],
    expiresAt: null,
    failureReason: null,
    flagged: null,
    opWalletId: opWallet.opWalletId,
    origin: move.origin,
    reasons: { ...move.reasons, worth: move.worth.toString(), policy: decision.explanation },
    requiredApprovals: decision.outcome === 'require_approval' ? decision.requiredApprovals : 0,
    approvalRule: decision.rule,
    approvedAt: null,
    rejectedAt: null,
    actualApy: null,
    createdAt: at,
    updatedAt: at,
    completedAt: null,
    transactions: move.steps.map((step, position) =>
      newTransaction(operationId, drawn.transactionIds[position]!, position, wallet, step, {
        ...UNBUILT,
        call: step.call,
      }),
    ),
  }
}

/** Bytes are built when an agent claims them, with a fresh nonce, fee and blockhash (decisions 9). */
const UNBUILT: Omit<Bytes, 'call'> = {
  nonce: null,
  unsignedBytes: '',
  validUntil: null,
  blockhash: null,
  lastValidBlockHeight: null,
}
