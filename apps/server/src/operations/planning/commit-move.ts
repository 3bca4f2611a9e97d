import { advanceAllocations } from '../../allocations/index.ts'
import { type Transact, type Tx, transactOn, unbatched } from '../../database/index.ts'
import type { Actor } from '../../identity/index.ts'
import { assert, Failure } from '../../kernel/index.ts'
import { post } from '../../ledger/index.ts'
import { decide, getActivePolicy, type PolicyDecision } from '../../policy/index.ts'
import { splitUnfinished } from '../lifecycle/conflicts/plan-conflicts.ts'
import type { Parts } from '../lifecycle/parts.ts'
import { insertOperation } from '../lifecycle/records/insert-operation.ts'
import { reserveEntry } from '../lifecycle/records/reservation.ts'
import { newOperation, type Operation, type OperationFields } from '../lifecycle/states/operation.ts'
import { INITIAL_STATE, transitionFor } from '../lifecycle/states/operation-states.ts'
import type { TransactionBytes } from '../lifecycle/states/transaction.ts'
import { abortUnissued } from '../lifecycle/transitions/abort-unissued.ts'
import { enqueueAgentWork } from '../lifecycle/transitions/advance-agent-work.ts'
import { advanceOperations } from '../lifecycle/transitions/advance-operations.ts'
import { newTransaction } from './commit-plan.ts'
import { findOperationalWalletContext } from './find-operational-wallet.ts'
import { policyFactsOf } from './policy-facts.ts'
import type { PreparedMove } from './prepared-move.ts'
import { type AllocatedIds, lockWalletAndAllocateIds, readPlanningState } from './read-planning-state.ts'
import { requirePendingQuota } from './require-pending-quota.ts'
import { requireAboveBuffer, reservedByOthers, reserveFunds } from './reserve-funds.ts'

/** What the policy's decision does to a new operation; a rejection is recorded as a rejected operation. */
const EVENT_BY_OUTCOME = {
  approve: 'ready',
  require_approval: 'approval_required',
  reject: 'approval_required',
} as const

/**
 * Writes a move for the custody agent, all or nothing: evaluates the policy in force, reserves the amount, and queues
 * the work for agents if nobody has to approve it.
 *
 * Errors: OPERATION_IN_PROGRESS, INSUFFICIENT_BALANCE: something changed since the chain was read, or the policy does not
 * approve a move that another one gives way to. CONFLICT: the quota of pending operations.
 */
export async function commitMove(
  parts: Parts,
  move: PreparedMove,
  transact: Transact<Operation> = transactOn(parts.db),
): Promise<Operation> {
  return transact(async (tx) => {
    const at = parts.clock.now()
    const { wallet } = move.operationalWallet
    const ids = await lockWalletAndAllocateIds(tx, wallet, move.steps.length)
    const state = await readPlanningState(tx, wallet, move.strategy.tokenAddress, move.senderState)
    const { blocking, yielding } = splitUnfinished(state.unfinished, move)
    if (blocking) throw new Failure('OPERATION_IN_PROGRESS', { details: { operationId: blocking.operationId } })
    const evaluated = await evaluatePolicy(tx, move, at)
    const { decision } = evaluated
    if (move.goesBefore !== undefined && decision.outcome !== 'approve')
      throw new Failure('OPERATION_IN_PROGRESS', { details: { operationId: move.goesBefore } })
    await abortUnissued(unbatched(tx), yielding, explanationOf(ids, move), at)
    await requirePendingQuota(tx, parts, wallet.organizationId, ids.pending)
    const { opWallet } = await findOperationalWalletContext(tx, move)
    if (move.onChainBalance !== undefined) {
      const free = move.onChainBalance - reservedByOthers(state, new Set())
      requireAboveBuffer(move.value, free, opWallet.buffer, move.strategy.tokenDecimals)
    }
    const reservation = reserveFunds(
      { ...move, target: { wallet, strategy: move.strategy } },
      ids.operationId,
      state,
      new Set(),
    )
    const transition = transitionFor(INITIAL_STATE, EVENT_BY_OUTCOME[decision.outcome])!
    const operation = newAgentOperation(move, { ids, ...evaluated, state: transition.to, at })
    await insertOperation(tx, operation, reservation, ['operation.created', ...(transition.emits ?? [])])
    await post(tx, reservation ? [reserveEntry(reservation, at)] : [])
    if (move.type === 'UNWIND')
      await advanceAllocations(tx, [{ wallet, strategyId: move.strategy.id, event: 'unwind_planned' }])
    const written = decision.outcome === 'reject' ? await rejectByPolicy(tx, operation, decision, at) : operation
    if (decision.outcome === 'approve') await enqueueAgentWork(tx, operation, at)
    return written
  })
}

/** For the people who would have decided about what gives way. */
const explanationOf = ({ operationId }: AllocatedIds, { goesBefore }: PreparedMove): string =>
  goesBefore === undefined
    ? `Operation ${operationId} of the wallet comes first.`
    : `Operation ${operationId} refills the buffer first, which nobody has to approve. This one is planned again after it.`

interface EvaluatedPolicy {
  readonly decision: PolicyDecision
  readonly requesterMayApprove: boolean
}

async function evaluatePolicy(tx: Tx, move: PreparedMove, at: Date): Promise<EvaluatedPolicy> {
  const { wallet } = move.operationalWallet
  const { strategy } = move
  const policy = await getActivePolicy(tx, wallet.organizationId)
  const { type, value, part } = move
  const { walletId, custodyProvider } = wallet
  const facts = policyFactsOf({ type, value: part?.total ?? value, walletId, custodyProvider, strategy, at })
  const decision = decide(policy, facts)
  return { decision, requesterMayApprove: policy !== 'unreadable' && policy.requesterMayApprove }
}

/** Ends an operation that the policy rejects: it is recorded as rejected, without a user, and reserves nothing. */
async function rejectByPolicy(tx: Tx, operation: Operation, decision: PolicyDecision, at: Date): Promise<Operation> {
  const explanation = `The approval policy rejected the operation: ${decision.explanation}`
  const ended = await advanceOperations(tx, [{ operation, event: 'rejected', explanation }], at)
  await post(tx, ended.entries)
  return ended.operations[0]!
}

interface PlannedAgentOperation extends EvaluatedPolicy {
  readonly ids: AllocatedIds
  readonly state: Operation['state']
  readonly at: Date
}

function newAgentOperation(move: PreparedMove, input: PlannedAgentOperation): Operation {
  const { ids, decision, requesterMayApprove, state, at } = input
  const { wallet, opWallet } = move.operationalWallet
  const { operationId } = ids
  const fields: OperationFields = {
    organizationId: wallet.organizationId,
    operationId,
    walletId: wallet.walletId,
    strategyId: move.strategy.id,
    type: move.type,
    executor: 'agent',
    amount: move.amount,
    cancelledOperations: [],
    expiresAt: null,
    flagReason: null,
    opWalletId: opWallet.opWalletId,
    origin: move.origin,
    isStrategyChosen: move.isStrategyChosen ?? false,
    reasons: { ...move.reasons, policy: decision.explanation },
    plannedValue: move.value,
    part: move.part ?? null,
    requestedBy: { type: move.requestedBy.type, id: move.requestedBy.id },
    requesterUserId: holderOf(move.requestedBy),
    requesterMayApprove,
    requiredApprovals: decision.outcome === 'require_approval' ? decision.requiredApprovals : 0,
    approvalRule: decision.rule,
    createdAt: at,
    updatedAt: at,
    transactions: move.steps.map((step, position) =>
      newTransaction({ operationId, transactionId: ids.transactionIds[position]!, position }, wallet, step, {
        ...UNBUILT_BYTES,
        call: step.call,
      }),
    ),
  }
  return newOperation(fields, state)
}

/** Bytes are built when an agent claims the transaction, with a fresh nonce, fee and blockhash (contract 9). */
const UNBUILT_BYTES: Omit<TransactionBytes, 'call'> = {
  nonce: null,
  unsignedBytes: '',
  validUntil: null,
  blockhash: null,
  lastValidBlockHeight: null,
}

/** The member who holds the secret of a service account; `null` for other requesters. */
function holderOf({ type, heldBy }: Actor): number | null {
  if (type !== 'service_account') return null
  assert(heldBy !== undefined, 'a member holds the secret of a service account')
  return heldBy
}
