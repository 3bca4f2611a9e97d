import { sql } from 'kysely'
import { type Database, type Transact, type Tx, transactOn } from '../../database/index.ts'
import {
  type Explanation,
  type IdentityParts,
  type PasskeyAssertion,
  requireApprover,
  type Scope,
} from '../../identity/index.ts'
import { assert, Failure } from '../../kernel/index.ts'
import { post } from '../../ledger/index.ts'
import { getOperation } from '../lifecycle/conflicts/get-operation.ts'
import { chainOf, type Parts } from '../lifecycle/parts.ts'
import { lockOperation } from '../lifecycle/reads/lock-operation.ts'
import type { Operation } from '../lifecycle/states/operation.ts'
import { enqueueAgentWork } from '../lifecycle/transitions/advance-agent-work.ts'
import { advanceOperations } from '../lifecycle/transitions/advance-operations.ts'
import { findOperationalWalletContext } from '../planning/find-operational-wallet.ts'
import { readBalanceFor } from '../planning/read-balance-for.ts'
import { countApprovals } from './count-approvals.ts'
import { requireSeenCalls } from './planned-calls.ts'
import { recordDecision } from './record-decision.ts'
import { verifySignature } from './verify-signature.ts'

export interface DecisionRequest {
  readonly scope: Scope
  readonly operationId: number
  /** The user who decides. */
  readonly userId: number
  readonly explanation?: Explanation | undefined
}

export interface ApprovalRequest extends DecisionRequest {
  /** The user's signature over the content of the operation. */
  readonly passkey?: PasskeyAssertion | undefined
  /** The hash of the calls that the user saw. */
  readonly callsHash?: string | undefined
}

export type ApprovalParts = Parts & Pick<IdentityParts, 'environment' | 'factors'>

export interface ApprovalResult {
  readonly operation: Operation
  /** How many members have approved and may still approve, including this one. */
  readonly approvals: number
  /** Whether this approval is signed with a passkey. */
  readonly isSigned: boolean
  /** Why the plan is no longer valid: the approval aborted the operation instead. */
  readonly abortReason?: string
}

/**
 * Approves an operation. The last approval that the policy requires queues it for the agents, if the wallet can still
 * fund it (spec 3.1, contract 7 and 8). What a client planned meanwhile goes first: agents get the operation's bytes when
 * that has ended. All approvals are counted again each time, by the members of that moment. A
 * second approval by the same person changes nothing, unless it adds a signature or an explanation. Where the organization requires
 * signatures, approvals without one do not count. A plan that is no longer valid is ABORTED, never changed (rule 10): the abort commits, as a result with an `abortReason`, and the approval is
 * then refused with INVALID_OPERATION_STATUS.
 *
 * Errors: OPERATION_NOT_FOUND, INVALID_OPERATION_STATUS, CONFLICT ({@link requireSeenCalls}), FORBIDDEN (this user requested the operation and others can
 * approve it, or may not approve yet; {@link verifySignature}), CHAIN_UNAVAILABLE.
 */
export async function approveOperation(
  parts: ApprovalParts,
  input: ApprovalRequest,
  transact: Transact<ApprovalResult> = transactOn(parts.db),
): Promise<ApprovalResult> {
  const read = await getOperation(parts, input.scope, input.operationId)
  requirePendingApproval(read)
  const balance = await readSupplyBalance(parts, read)
  const approved = await transact(async (tx): Promise<ApprovalResult> => {
    const at = parts.clock.now()
    const operation = await lockOperation(tx, input.scope, input.operationId)
    requirePendingApproval(operation)
    await requireApprover(tx, at, { organizationId: operation.organizationId, userId: input.userId })
    const { userId, passkey, explanation, callsHash } = input
    requireSeenCalls(parts.environment, operation, callsHash)
    const signature = await verifySignature(tx, parts, { operation, userId, passkey })
    await recordDecision(tx, { operation, userId, decision: 'approve', at, signature, explanation })
    const isSigned = signature !== undefined
    const { approvals, excludedUserId } = await countApprovals(tx, operation)
    if (userId === excludedUserId)
      throw new Failure('FORBIDDEN', {
        message:
          operation.requesterUserId === null
            ? 'You requested this operation; another member must approve it.'
            : 'A service account whose secret you received requested this operation; another member must approve it.',
      })
    if (approvals < operation.requiredApprovals) return { operation, approvals, isSigned }
    // Only the last approval needs the chain: it releases the operation.
    if (balance instanceof Failure) throw balance
    const abortReason = balance === undefined ? undefined : await shortfallReason(tx, operation, balance)
    if (abortReason !== undefined) {
      const ended = await advanceOperations(tx, [{ operation, event: 'aborted', explanation: abortReason }], at)
      await post(tx, ended.entries)
      return { operation: ended.operations[0]!, approvals, isSigned, abortReason }
    }
    return { operation: await releaseToAgents(tx, operation, at), approvals, isSigned }
  })
  if (approved.abortReason === undefined) return approved
  throw new Failure('INVALID_OPERATION_STATUS', {
    message: `The operation was aborted instead: ${approved.abortReason}`,
  })
}

/** Queues an approved operation for the agents. */
async function releaseToAgents(tx: Tx, operation: Operation, at: Date): Promise<Operation> {
  const { operations } = await advanceOperations(tx, [{ operation, event: 'approved' }], at)
  await enqueueAgentWork(tx, operation, at)
  return operations[0]!
}

/**
 * The on-chain balance of the token that a supply spends; `undefined` for an unwind, which spends none; a failure, if the
 * chain cannot be read.
 */
async function readSupplyBalance(parts: Parts, operation: Operation): Promise<bigint | Failure | undefined> {
  if (operation.type !== 'SUPPLY') return undefined
  const context = await findOperationalWalletContext(parts.db, operationalWalletKey(operation))
  const reserved = await reservedByOthers(parts.db, operation, context.opWallet.tokenAddress)
  const need = (operation.amount ?? 0n) + context.opWallet.buffer + reserved
  try {
    return await readBalanceFor(chainOf(parts, context.wallet.blockchain), context, need)
  } catch (error) {
    if (error instanceof Failure && error.code === 'CHAIN_UNAVAILABLE') return error
    throw error
  }
}

/** Why the wallet cannot fund a supply from what its buffer and other reservations leave; `undefined` if it can. */
async function shortfallReason(tx: Tx, operation: Operation, onChain: bigint): Promise<string | undefined> {
  const { opWallet } = await findOperationalWalletContext(tx, operationalWalletKey(operation))
  const reserved = await reservedByOthers(tx, operation, opWallet.tokenAddress)
  const isCovered = (operation.amount ?? 0n) <= onChain - reserved - opWallet.buffer
  return isCovered ? undefined : 'The wallet no longer holds that amount above its buffer.'
}

/**
 * What other operations of the wallet will still take from its balance, in base units. Not those whose transactions are
 * all submitted: the balance may lack that money already, whether Weir has seen the block or not, and the agent's claim
 * checks the balance again once they have ended.
 */
async function reservedByOthers(db: Database | Tx, operation: Operation, tokenAddress: string): Promise<bigint> {
  const { amount } = await db
    .selectFrom('reservations')
    .select(sql<bigint>`coalesce(sum(amount), 0)`.as('amount'))
    .where('organization_id', '=', operation.organizationId)
    .where('wallet_id', '=', operation.walletId)
    .where('token_address', '=', tokenAddress)
    .where('released_at', 'is', null)
    .where('operation_id', '<>', operation.operationId)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('transactions')
          .select('transactions.id')
          .whereRef('transactions.organization_id', '=', 'reservations.organization_id')
          .whereRef('transactions.operation_id', '=', 'reservations.operation_id')
          .where('transactions.state', '=', 'unsigned'),
      ),
    )
    .executeTakeFirstOrThrow()
  return amount
}

function operationalWalletKey({ organizationId, opWalletId }: Operation) {
  assert(opWalletId !== null, 'an operation that waits for approval serves an operational wallet')
  return { organizationId, opWalletId }
}

/** Error: INVALID_OPERATION_STATUS. */
export function requirePendingApproval(operation: Operation): void {
  if (operation.state === 'PENDING_APPROVAL') return
  throw new Failure('INVALID_OPERATION_STATUS', { message: 'The operation does not wait for approval.' })
}
