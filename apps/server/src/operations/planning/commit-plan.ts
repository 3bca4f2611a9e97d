import { advanceAllocations } from '../../allocations/index.ts'
import type { Chain, TransactionRequest } from '../../chains/index.ts'
import { type OperationType, type Transact, transactOn } from '../../database/index.ts'
import type { AuditedActor } from '../../identity/index.ts'
import { addMilliseconds } from '../../kernel/index.ts'
import { post } from '../../ledger/index.ts'
import type { PlanStep } from '../../venues/index.ts'
import type { Wallet } from '../../wallets/index.ts'
import { operationsToSupersede, type PlanConflictPolicy } from '../lifecycle/conflicts/plan-conflicts.ts'
import type { Parts } from '../lifecycle/parts.ts'
import { insertOperation } from '../lifecycle/records/insert-operation.ts'
import { reserveEntry } from '../lifecycle/records/reservation.ts'
import { newOperation, type Operation, type OperationFields } from '../lifecycle/states/operation.ts'
import { INITIAL_STATE, transitionFor } from '../lifecycle/states/operation-states.ts'
import type { OperationTransaction, TransactionBytes } from '../lifecycle/states/transaction.ts'
import { advanceOperations } from '../lifecycle/transitions/advance-operations.ts'
import { buildBytes } from '../transactions/build-bytes.ts'
import type { PlanTarget } from './find-plan-target.ts'
import type { PreparedSteps } from './prepare-steps.ts'
import { type AllocatedIds, lockWalletAndAllocateIds, readPlanningState } from './read-planning-state.ts'
import { requirePendingQuota } from './require-pending-quota.ts'
import { reserveFunds } from './reserve-funds.ts'

/** A plan whose chain reads are done. Its preconditions are checked again under the wallet's lock. */
export interface OperationPlan {
  readonly target: PlanTarget
  readonly chain: Chain
  readonly type: OperationType
  /** Base units; `null`: the whole position. */
  readonly amount: bigint | null
  readonly prepared: PreparedSteps
  readonly requestedBy: AuditedActor
  readonly ifBusy?: PlanConflictPolicy | undefined
  /** Claims only: what can be claimed now. */
  readonly plannedValue?: bigint
  /** Supplies only: the token's balance in the chain's latest state. */
  readonly onChainBalance?: bigint
}

/**
 * Writes a client's plan, all or nothing: supersedes the wallet's waiting operations, reserves the amount, takes the
 * nonces, and stores the bytes before they are issued. At most six statements.
 *
 * Errors: OPERATION_IN_PROGRESS, INSUFFICIENT_BALANCE: another request won since the checks. CONFLICT: the quota.
 */
export async function commitPlan(
  parts: Parts,
  plan: OperationPlan,
  transact: Transact<Operation> = transactOn(parts.db),
): Promise<Operation> {
  const { wallet, strategy } = plan.target
  return transact(async (tx) => {
    const at = parts.clock.now()
    const ids = await lockWalletAndAllocateIds(tx, wallet, plan.prepared.steps.length)
    const state = await readPlanningState(tx, wallet, strategy.tokenAddress, plan.prepared.senderState)
    const superseded = operationsToSupersede(state.unfinished, plan.ifBusy)
    const ended = await advanceOperations(
      tx,
      superseded.map((operation) => ({
        operation,
        event: 'superseded',
        explanation: `The operation was superseded by operation ${ids.operationId}.`,
      })),
      at,
    )
    await requirePendingQuota(tx, parts, wallet.organizationId, ids.pending)
    const supersededIds = new Set(superseded.map(({ operationId }) => operationId))
    const reservation = reserveFunds(plan, ids.operationId, state, supersededIds)
    const operation = newClientOperation(plan, { ids, firstNonce: state.nextNonce, superseded, at })
    await insertOperation(tx, operation, reservation, ['operation.created', ...READY_TRANSITION.emits!])
    await post(tx, [...ended.entries, ...(reservation ? [reserveEntry(reservation, at)] : [])])
    if (plan.type === 'UNWIND')
      await advanceAllocations(tx, [{ wallet, strategyId: strategy.id, event: 'unwind_planned' }])
    return operation
  })
}

/** On v1 the client's signature is the approval: a plan is ready as soon as it is written (contract 8). */
const READY_TRANSITION = transitionFor(INITIAL_STATE, 'ready')!

interface PlannedClientOperation {
  readonly ids: AllocatedIds
  readonly firstNonce: number | null
  readonly superseded: readonly Operation[]
  readonly at: Date
}

function newClientOperation(
  plan: OperationPlan,
  { ids, firstNonce, superseded, at }: PlannedClientOperation,
): Operation {
  const { wallet, strategy, operationTimeoutSeconds } = plan.target
  const { steps, senderState, gas } = plan.prepared
  const expiresAt = addMilliseconds(at, operationTimeoutSeconds * 1_000)
  const fields: OperationFields = {
    organizationId: wallet.organizationId,
    operationId: ids.operationId,
    walletId: wallet.walletId,
    strategyId: strategy.id,
    type: plan.type,
    executor: 'client',
    amount: plan.amount,
    cancelledOperations: superseded.map(({ operationId }) => operationId),
    expiresAt,
    flagReason: null,
    requestedBy: plan.requestedBy,
    requesterUserId: null,
    ...CLIENT_OPERATION_DEFAULTS,
    plannedValue: plan.plannedValue ?? null,
    createdAt: at,
    updatedAt: at,
    transactions: steps.map((step, position) => {
      const transactionId = ids.transactionIds[position]!
      const unsigned: TransactionRequest = {
        sender: wallet.address,
        call: step.call,
        nonce: firstNonce === null ? null : firstNonce + position,
        gas: gas[position]!,
        senderState,
        transactionId,
      }
      const bytes = buildBytes(plan.chain, unsigned, expiresAt, at)
      return newTransaction({ operationId: ids.operationId, transactionId, position }, wallet, step, bytes)
    }),
  }
  return newOperation(fields, READY_TRANSITION.to)
}

export interface TransactionPlace {
  readonly operationId: number
  readonly transactionId: number
  readonly position: number
}

/** An unsigned transaction. If it has bytes, they are about to be issued, so they can still land. */
export function newTransaction(
  { operationId, transactionId, position }: TransactionPlace,
  wallet: Wallet,
  step: PlanStep,
  bytes: TransactionBytes,
): OperationTransaction {
  const transaction = {
    transactionId,
    operationId,
    position,
    kind: step.kind,
    status: 'unsigned',
    blockchain: wallet.blockchain,
    sender: wallet.address,
    description: step.description,
    ...bytes,
    ...UNSENT_TRANSACTION_DEFAULTS,
  } as const
  return bytes.unsignedBytes === ''
    ? { ...transaction, state: 'planned', canStillLand: false }
    : { ...transaction, state: 'issued', canStillLand: true }
}

/** On v1 the client requests the operation, and its signature is the approval. */
const CLIENT_OPERATION_DEFAULTS = {
  opWalletId: null,
  origin: 'client',
  isStrategyChosen: false,
  reasons: null,
  part: null,
  requiredApprovals: 0,
  requesterMayApprove: true,
  approvalRule: null,
} as const

const UNSENT_TRANSACTION_DEFAULTS = {
  txHash: null,
  submittedAt: null,
  firstSeenAt: null,
  lastSeenAt: null,
  blockNumber: null,
  blockHash: null,
  confirmations: null,
  finalizedAt: null,
  failureCode: null,
  error: null,
  revertReason: null,
}
