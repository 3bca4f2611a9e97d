import { type Chain, callToJson, type SenderState } from '../../chains/index.ts'
import { inTransaction, type Tx } from '../../database/index.ts'
import { AGENT_UNSETTLED_RETRY_MS, addMilliseconds, assert } from '../../kernel/index.ts'
import type { PlanStep } from '../../venues/index.ts'
import { stopReason } from '../lifecycle/conflicts/stop-reason.ts'
import type { Parts } from '../lifecycle/parts.ts'
import { lockOperation } from '../lifecycle/reads/lock-operation.ts'
import { recordTransactionStep } from '../lifecycle/records/record-steps.ts'
import type { Lease } from '../lifecycle/states/agent-work.ts'
import type { Operation } from '../lifecycle/states/operation.ts'
import { isUnfinished } from '../lifecycle/states/operation-states.ts'
import {
  type IssuedTransaction,
  isPending,
  isUnsigned,
  type OperationTransaction,
  type PendingTransaction,
  type UnsubmittedTransaction,
  unsignedBytesOf,
  withBytes,
} from '../lifecycle/states/transaction.ts'
import { advanceAgentWork } from '../lifecycle/transitions/advance-agent-work.ts'
import { advanceTransaction } from '../lifecycle/transitions/advance-transactions.ts'
import { isCallChanged } from '../planning/check-move.ts'
import { readWalletState } from '../submission/unsigned-transactions.ts'
import { buildBytes } from '../transactions/build-bytes.ts'
import { hasOutstandingBytes } from '../transactions/outstanding-bytes.ts'
import type { TransactionClaim } from './lease.ts'
import { nextReplacementAt } from './next-replacement-at.ts'
import { pauseWork, startLease } from './start-lease.ts'

/** A transaction whose bytes are committed and tracked, so an agent may receive them. */
export interface IssuedBytes {
  readonly operation: Operation
  /** Pending: the bytes are to replace those that were sent. */
  readonly transaction: IssuedTransaction | PendingTransaction
  readonly lease: Lease
}

/**
 * `unavailable`: the chain does not respond. `retry_later`: the transaction is paused, has ended or was planned again;
 * another transaction may be issued instead.
 */
export type IssueResult = IssuedBytes | 'unavailable' | 'retry_later'

/** Which bytes to issue: the stored ones; the same with other fees; or new ones, with the venue's current calls. */
export type IssueRequest =
  | { readonly decision: 'reuse' }
  | { readonly decision: 'reprice'; readonly senderState: SenderState; readonly gas: bigint }
  | {
      readonly decision: 'rebuild'
      readonly senderState: SenderState
      readonly gas: bigint
      readonly steps: readonly PlanStep[]
      /** When the buffer that the plan was checked against was set. */
      readonly bufferSetAt: Date
    }

export type LeasableTransaction = UnsubmittedTransaction | PendingTransaction

/** Whether an agent may get the transaction's bytes: it waits for a signature, or for a replacement. */
export function isLeasable(
  { state }: Operation,
  transaction: OperationTransaction | undefined,
): transaction is LeasableTransaction {
  if (!transaction) return false
  return isUnsigned(transaction) ? state === 'EXECUTING' : isPending(transaction) && isUnfinished(state)
}

export interface BytesToCommit {
  readonly claim: TransactionClaim
  readonly leaseDurationMs: number
  readonly read: LeasableTransaction
  readonly request: IssueRequest
}

/**
 * Stores the bytes and turns the claim into a lease, in one transaction under the wallet's lock, before any agent sees
 * them. Checks everything again under the lock, and leaves a transaction alone that changed or was claimed meanwhile.
 */
export async function commitBytes(
  parts: Parts,
  chain: Chain,
  { claim, leaseDurationMs, read, request }: BytesToCommit,
): Promise<IssueResult> {
  return inTransaction(parts.db, async (tx) => {
    const at = parts.clock.now()
    const soon = addMilliseconds(at, AGENT_UNSETTLED_RETRY_MS)
    const pause = async (reason: string): Promise<'retry_later'> => {
      await pauseWork(tx, claim, soon, reason)
      return 'retry_later'
    }
    const operation = await lockOperation(tx, { ...claim, walletProfileId: null }, claim.operationId)
    const transaction = operation.transactions.find(({ transactionId }) => transactionId === claim.transactionId)
    if (!isLeasable(operation, transaction)) return 'retry_later'
    if (transaction.state !== read.state || unsignedBytesOf(transaction) !== unsignedBytesOf(read)) {
      return pause('Its bytes changed while they were being checked.')
    }
    const isNew = request.decision === 'rebuild'
    if (isNew && !(await isBufferUnchanged(tx, operation, request.bufferSetAt))) {
      return pause('The buffer changed while the plan was being checked.')
    }
    const stopped = await stopReason(parts, tx, operation)
    if (stopped !== undefined) {
      // An agent may have them: their lease that lapsed proves nothing (rule 4).
      if (transaction.state === 'issued')
        await advanceAgentWork(tx, claim, { event: 'withheld', at, by: 'weir', reason: stopped })
      else await pauseWork(tx, claim, isNew ? soon : nextReplacementAt(parts), stopped)
      return 'retry_later'
    }
    const state = isNew ? await readWalletState(tx, operation, request.senderState) : undefined
    // It was planned while the operation waited for approval, and its bytes may take the next nonce.
    if (state?.unfinished.some(({ executor }) => executor === 'client')) {
      return pause('A client’s operation for this wallet is unfinished.')
    }
    const nonce = state ? nonceAfterOwn(operation, state.nextNonce) : transaction.nonce
    if (isNew && nonce !== null && (await hasOutstandingBytes(tx, operation, transaction, nonce))) {
      return pause('Bytes of an earlier operation of this wallet may still land.')
    }
    const isReplacement = isPending(transaction) && request.decision === 'reprice'
    const lease = await startLease(tx, { claim, leaseDurationMs, isFirstIssue: !read.canStillLand, isReplacement, at })
    if (!lease) return 'retry_later'
    recordTransactionStep(
      tx,
      { ...claim, organizationId: operation.organizationId },
      { name: 'transaction leased', facts: { keyId: claim.agent?.id, until: lease.leasedUntil.toISOString() } },
    )
    if (request.decision === 'reuse') {
      assert(transaction.canStillLand, 'bytes that can land were issued')
      return { operation, transaction, lease }
    }
    const call = request.decision === 'rebuild' ? await storeCalls(tx, operation, request.steps) : transaction.call
    const { transactionId, sender } = transaction
    const plan = { sender, call, nonce, gas: request.gas, senderState: request.senderState, transactionId }
    const bytes = buildBytes(chain, plan, operation.expiresAt, at)
    if (isPending(transaction)) {
      await advanceTransaction(tx, operation, transaction, { event: 'replacement_issued', bytes })
      return { operation, transaction: { ...transaction, ...bytes }, lease }
    }
    await advanceTransaction(tx, operation, transaction, { event: 'issued', bytes })
    return { operation, transaction: withBytes(transaction, bytes), lease }
  })
}

/**
 * The first nonce above those of the operation's own transactions. A lagging node may report a lower one, with which
 * this transaction could land before, or instead of, an earlier one of the operation.
 */
function nonceAfterOwn({ transactions }: Operation, nextNonce: number | null): number | null {
  if (nextNonce === null) return null
  const own = transactions.flatMap(({ status, nonce }) =>
    nonce !== null && (status === 'pending' || status === 'confirmed') ? [nonce + 1] : [],
  )
  return Math.max(nextNonce, ...own)
}

/**
 * Whether the buffer is still the one that the plan was checked against. The lock makes a change of the buffer wait
 * until the bytes are stored; the change then finds them issued.
 */
async function isBufferUnchanged(tx: Tx, { organizationId, opWalletId }: Operation, setAt: Date): Promise<boolean> {
  const opWallet = await tx
    .selectFrom('operational_wallets')
    .select('updated_at')
    .where('organization_id', '=', organizationId)
    .where('id', '=', opWalletId)
    .forShare()
    .executeTakeFirst()
  return opWallet?.updated_at.getTime() === setAt.getTime()
}

/** Stores the venue's current calls for all waiting transactions. Returns the first, whose bytes are built next. */
async function storeCalls(tx: Tx, operation: Operation, steps: readonly PlanStep[]): Promise<PlanStep['call']> {
  const waiting = operation.transactions.filter(({ status }) => status === 'unsigned')
  assert(waiting.length === steps.length, 'every waiting transaction was checked')
  for (const [index, step] of steps.entries()) {
    const transaction = waiting[index]!
    if (!isCallChanged(step, transaction)) continue
    await tx
      .updateTable('transactions')
      .set({ call: callToJson(step.call) })
      .where('organization_id', '=', operation.organizationId)
      .where('id', '=', transaction.transactionId)
      .execute()
  }
  return steps[0]!.call
}
