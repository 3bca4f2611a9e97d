import { type Chain, callToJson, type SenderState } from '../../chains/index.ts'
import { inTransaction, type Tx } from '../../database/index.ts'
import { AGENT_UNSETTLED_RETRY_MS, addMilliseconds, assert } from '../../kernel/index.ts'
import type { PlanStep } from '../../venues/index.ts'
import { lockOperation } from '../lifecycle/lock-operation.ts'
import { moveTransaction } from '../lifecycle/move-transactions.ts'
import type { Operation } from '../lifecycle/operation.ts'
import type { Parts } from '../lifecycle/parts.ts'
import {
  type IssuedTransaction,
  isIssued,
  isUnsigned,
  type UnsignedTransaction,
  unsignedBytesOf,
  withBytes,
} from '../lifecycle/transaction.ts'
import { isCallChanged } from '../planning/check-move.ts'
import { readNextNonce } from '../submission/unsigned-transactions.ts'
import { buildBytes } from '../transactions/build-bytes.ts'
import { hasOutstandingBytes } from '../transactions/outstanding-bytes.ts'
import type { Lease, TransactionClaim } from './lease.ts'
import { pauseWork, startLease } from './start-lease.ts'

/** A transaction whose bytes an agent may be given from this moment on: they are stored, and watched. */
export interface IssuedBytes {
  readonly operation: Operation
  readonly transaction: IssuedTransaction
  readonly lease: Lease
}

/** `silent`: its chain does not answer. `not_now`: it waits, it ended, or it was planned anew; another one may do. */
export type IssueResult = IssuedBytes | 'silent' | 'not_now'

/** Which bytes: those that are stored; the same with other fees; or new ones, for what waits as the venue wants it now. */
export type IssueRequest =
  | { readonly decision: 'stored' }
  | { readonly decision: 'repriced'; readonly facts: SenderState; readonly gas: bigint }
  | {
      readonly decision: 'renumbered'
      readonly facts: SenderState
      readonly gas: bigint
      readonly steps: readonly PlanStep[]
      /** When the buffer was set that the plan was checked against. */
      readonly bufferSetAt: Date
    }

/**
 * Stores the bytes and turns the claim into a lease, in one transaction under the wallet's lock, before anybody sees
 * them. Everything is judged again there; what changed meanwhile, or is claimed by another, is left alone.
 */
export async function commitBytes(
  parts: Parts,
  chain: Chain,
  claim: TransactionClaim,
  leaseDurationMs: number,
  read: UnsignedTransaction,
  wanted: IssueRequest,
): Promise<IssueResult> {
  return inTransaction(parts.db, async (tx) => {
    const at = parts.clock.now()
    const pause = async (because: string): Promise<'not_now'> => {
      await pauseWork(tx, claim, addMilliseconds(at, AGENT_UNSETTLED_RETRY_MS), because)
      return 'not_now'
    }
    const operation = await lockOperation(tx, { ...claim, walletProfileId: null }, claim.operationId)
    const transaction = operation.transactions.find(({ transactionId }) => transactionId === claim.transactionId)
    if (operation.state !== 'EXECUTING' || !transaction || !isUnsigned(transaction)) return 'not_now'
    if (transaction.state !== read.state || unsignedBytesOf(transaction) !== unsignedBytesOf(read)) {
      return pause('Its bytes changed while they were looked at.')
    }
    const isNew = wanted.decision === 'renumbered'
    if (isNew && !(await isBufferUnchanged(tx, operation, wanted.bufferSetAt))) {
      return pause('The buffer was changed while the plan was checked.')
    }
    const nonce = isNew ? nonceAfterOwn(operation, await readNextNonce(tx, operation, wanted.facts)) : transaction.nonce
    if (isNew && nonce !== null && (await hasOutstandingBytes(tx, operation, transaction, nonce))) {
      return pause('Bytes of an earlier operation of this wallet may still land.')
    }
    const lease = await startLease(tx, claim, leaseDurationMs, !read.canStillLand, at)
    if (!lease) return 'not_now'
    if (wanted.decision === 'stored') {
      assert(isIssued(transaction), 'bytes that can land were issued')
      return { operation, transaction, lease }
    }
    const call = wanted.decision === 'renumbered' ? await storeCalls(tx, operation, wanted.steps) : transaction.call
    const { transactionId, sender } = transaction
    const plan = { sender, call, nonce, gas: wanted.gas, senderState: wanted.facts, transactionId }
    const bytes = buildBytes(chain, plan, operation.expiresAt, at)
    await moveTransaction(tx, operation, transaction, { event: 'issued', bytes })
    return { operation, transaction: withBytes(transaction, bytes), lease }
  })
}

/** Nothing of an operation may land before, or instead of, what comes first in it, whatever a node that lags says. */
function nonceAfterOwn({ transactions }: Operation, nextNonce: number | null): number | null {
  if (nextNonce === null) return null
  const own = transactions.flatMap(({ status, nonce }) =>
    nonce !== null && (status === 'pending' || status === 'confirmed') ? [nonce + 1] : [],
  )
  return Math.max(nextNonce, ...own)
}

/**
 * Whether the buffer is still the one that the plan was checked against. Whoever changes it waits for the bytes to be
 * stored, and then sees that they are out.
 */
async function isBufferUnchanged(tx: Tx, { organizationId, opWalletId }: Operation, setAt: Date): Promise<boolean> {
  const found = await tx
    .selectFrom('operational_wallets')
    .select('updated_at')
    .where('organization_id', '=', organizationId)
    .where('id', '=', opWalletId)
    .forShare()
    .executeTakeFirst()
  return found?.updated_at.getTime() === setAt.getTime()
}

/** Keeps calls as the venue wants them now, of everything that waits. Returns the first, whose bytes come next. */
async function storeCalls(tx: Tx, operation: Operation, steps: readonly PlanStep[]): Promise<PlanStep['call']> {
  const waiting = operation.transactions.filter(({ status }) => status === 'unsigned')
  assert(waiting.length === steps.length, 'each transaction that waits was checked')
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
