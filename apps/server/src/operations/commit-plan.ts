import { markUnwinding } from '../allocations/index.ts'
import type { Chain, UnsignedPlan } from '../chains/index.ts'
import { inTransaction, type OperationType, type Tx } from '../database/index.ts'
import { later } from '../kernel/index.ts'
import { post } from '../ledger/index.ts'
import type { Step } from '../venues/index.ts'
import type { Wallet } from '../wallets/index.ts'
import { advance } from './advance.ts'
import { type Bytes, buildBytes } from './build-bytes.ts'
import { supersededBy } from './conflicts.ts'
import type { Target } from './find-target.ts'
import { holdBack } from './hold-back.ts'
import { insertOperation } from './insert-operation.ts'
import { INITIAL, transitionFor } from './machine.ts'
import type { Operation, OperationTransaction } from './operation.ts'
import type { Parts } from './parts.ts'
import type { Prepared } from './prepare-steps.ts'
import { type Drawn, lockWallet, readForPlanning } from './read-for-planning.ts'
import { reserveEntry } from './reservation.ts'

/** A plan whose chain reads are done. What it relies on is checked again under the wallet's lock. */
export interface Plan {
  readonly target: Target
  readonly chain: Chain
  readonly type: OperationType
  /** Base units; `null`: the whole position. */
  readonly amount: bigint | null
  readonly prepared: Prepared
  /** Supplies only: the token's balance in the chain's latest state. */
  readonly onChain?: bigint
}

export type FinishPlan = (tx: Tx, operation: Operation) => Promise<void>

/**
 * Writes a client's plan: supersedes the wallet's waiting operations, holds the amount back, takes the nonces, and
 * stores the bytes before anybody sees them; all or nothing. At most six statements.
 *
 * Errors: OPERATION_IN_PROGRESS, INSUFFICIENT_BALANCE: somebody else was quicker since the checks.
 */
export async function commitPlan(parts: Parts, plan: Plan, finish?: FinishPlan): Promise<Operation> {
  const { wallet, strategy } = plan.target
  return inTransaction(parts.db, async (tx) => {
    const at = parts.clock.now()
    const drawn = await lockWallet(tx, wallet, plan.prepared.steps.length)
    const state = await readForPlanning(tx, wallet, strategy.tokenAddress, plan.prepared.facts)
    const superseded = supersededBy(state.unfinished)
    const ended = await advance(
      tx,
      superseded.map((operation) => ({
        operation,
        event: 'superseded',
        explanation: `The operation was superseded by operation ${drawn.operationId}.`,
      })),
      at,
    )
    const freed = new Set(superseded.map(({ operationId }) => operationId))
    const reservation = holdBack(plan, drawn.operationId, state, freed)
    const operation = newOperation(plan, drawn, state.nextNonce, superseded, at)
    await insertOperation(tx, operation, reservation, ['operation.created', ...READY.tells!])
    await post(tx, [...ended.entries, ...(reservation ? [reserveEntry(reservation, at)] : [])])
    if (plan.type === 'UNWIND') await markUnwinding(tx, wallet, strategy.id, true)
    await finish?.(tx, operation)
    return operation
  })
}

/** On v1 the client's signature is the approval: a plan is ready as soon as it is written (decisions 8). */
const READY = transitionFor(INITIAL, 'ready')!

function newOperation(
  plan: Plan,
  drawn: Drawn,
  firstNonce: number | null,
  superseded: readonly Operation[],
  at: Date,
): Operation {
  const { wallet, strategy, operationTimeoutSeconds } = plan.target
  const { steps, facts, gas } = plan.prepared
  const expiresAt = later(at, operationTimeoutSeconds * 1_000)
  return {
    organizationId: wallet.organizationId,
    operationId: drawn.operationId,
    walletId: wallet.walletId,
    strategyId: strategy.id,
    type: plan.type,
    executor: 'client',
    state: READY.to,
    amount: plan.amount,
    settledAmount: null,
    cancelledOperations: superseded.map(({ operationId }) => operationId),
    expiresAt,
    failureReason: null,
    flagged: null,
    ...OF_A_CLIENT,
    createdAt: at,
    updatedAt: at,
    completedAt: null,
    transactions: steps.map((step, position) => {
      const transactionId = drawn.transactionIds[position]!
      const unsigned: UnsignedPlan = {
        sender: wallet.address,
        call: step.call,
        nonce: firstNonce === null ? null : firstNonce + position,
        gas: gas[position]!,
        facts,
        transactionId,
      }
      const bytes = buildBytes(plan.chain, unsigned, expiresAt, at)
      return newTransaction(drawn.operationId, transactionId, position, wallet, step, bytes)
    }),
  }
}

/** A transaction that nobody has signed. Its bytes, if it has them, are about to be handed out, and so are watched. */
export function newTransaction(
  operationId: number,
  transactionId: number,
  position: number,
  wallet: Wallet,
  step: Step,
  bytes: Bytes,
): OperationTransaction {
  return {
    transactionId,
    operationId,
    position,
    kind: step.kind,
    state: 'unsigned',
    blockchain: wallet.blockchain,
    sender: wallet.address,
    description: step.description,
    ...bytes,
    watched: bytes.unsignedBytes !== '',
    ...NOT_YET_SENT,
  }
}

/** On v1 the client asked for it, and its signature is the approval. */
const OF_A_CLIENT = {
  opWalletId: null,
  origin: 'client',
  reasons: null,
  requiredApprovals: 0,
  approvalRule: null,
  approvedAt: null,
  rejectedAt: null,
  actualApy: null,
} as const

const NOT_YET_SENT = {
  txHash: null,
  submittedAt: null,
  seenAt: null,
  blockNumber: null,
  blockHash: null,
  confirmations: null,
  finalizedAt: null,
  failureCode: null,
  error: null,
  revertReason: null,
}
