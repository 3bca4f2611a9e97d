import { type Chain, callToJson, type SenderFacts } from '../chains/index.ts'
import { inTransaction, type Tx } from '../database/index.ts'
import { AGENT_UNSETTLED_MS, assert, later } from '../kernel/index.ts'
import type { Step } from '../venues/index.ts'
import type { Claim, Lease } from './agent-lease.ts'
import { buildBytes } from './build-bytes.ts'
import { isChanged } from './check-move.ts'
import { keepLease, pauseWork } from './keep-lease.ts'
import { hasLiveLeftovers } from './live-leftovers.ts'
import type { Operation, OperationTransaction } from './operation.ts'
import type { Parts } from './parts.ts'
import { readLocked } from './read-locked.ts'
import { storeBytes } from './store-bytes.ts'
import { nextNonceOf } from './unsigned-transactions.ts'

/** A transaction whose bytes an agent may be given from this moment on: they are stored, and watched. */
export interface HandedOut {
  readonly operation: Operation
  readonly transaction: OperationTransaction
  readonly lease: Lease
}

/** `silent`: its chain does not answer. `not_now`: it waits, it ended, or it was planned anew; another one may do. */
export type HandOut = HandedOut | 'silent' | 'not_now'

/** Which bytes: those that are stored; the same with other fees; or new ones, for what waits as the venue wants it now. */
export type WantedBytes =
  | { readonly fate: 'stored' }
  | { readonly fate: 'repriced'; readonly facts: SenderFacts; readonly gas: bigint }
  | {
      readonly fate: 'renumbered'
      readonly facts: SenderFacts
      readonly gas: bigint
      readonly steps: readonly Step[]
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
  claim: Claim,
  leaseDurationMs: number,
  read: OperationTransaction,
  wanted: WantedBytes,
): Promise<HandOut> {
  return inTransaction(parts.db, async (tx) => {
    const at = parts.clock.now()
    const pause = async (because: string): Promise<'not_now'> => {
      await pauseWork(tx, claim, later(at, AGENT_UNSETTLED_MS), because)
      return 'not_now'
    }
    const operation = await readLocked(tx, { ...claim, walletProfileId: null }, claim.operationId)
    const transaction = operation.transactions.find(({ transactionId }) => transactionId === claim.transactionId)
    if (operation.state !== 'EXECUTING' || transaction?.state !== 'unsigned') return 'not_now'
    if (transaction.watched !== read.watched || transaction.unsignedBytes !== read.unsignedBytes) {
      return pause('Its bytes changed while they were looked at.')
    }
    const isNew = wanted.fate === 'renumbered'
    if (isNew && !(await isBufferAsOf(tx, operation, wanted.bufferSetAt))) {
      return pause('The buffer was changed while the plan was checked.')
    }
    const nonce = isNew ? afterOwn(operation, await nextNonceOf(tx, operation, wanted.facts)) : transaction.nonce
    if (isNew && nonce !== null && (await hasLiveLeftovers(tx, operation, transaction, nonce))) {
      return pause('Bytes of an earlier operation of this wallet may still land.')
    }
    const lease = await keepLease(tx, claim, leaseDurationMs, !read.watched, at)
    if (!lease) return 'not_now'
    if (wanted.fate === 'stored') return { operation, transaction, lease }
    const call = wanted.fate === 'renumbered' ? await storeCalls(tx, operation, wanted.steps) : transaction.call
    const { transactionId, sender } = transaction
    const plan = { sender, call, nonce, gas: wanted.gas, facts: wanted.facts, transactionId }
    const bytes = buildBytes(chain, plan, operation.expiresAt, at)
    await storeBytes(tx, operation.organizationId, transactionId, bytes)
    return { operation, transaction: { ...transaction, ...bytes, watched: true }, lease }
  })
}

/** Nothing of an operation may land before, or instead of, what comes first in it, whatever a node that lags says. */
function afterOwn({ transactions }: Operation, nextNonce: number | null): number | null {
  if (nextNonce === null) return null
  const own = transactions.flatMap(({ state, nonce }) =>
    nonce !== null && (state === 'pending' || state === 'confirmed') ? [nonce + 1] : [],
  )
  return Math.max(nextNonce, ...own)
}

/**
 * Whether the buffer is still the one that the plan was checked against. Whoever changes it waits for the bytes to be
 * stored, and then sees that they are out.
 */
async function isBufferAsOf(tx: Tx, { organizationId, opWalletId }: Operation, setAt: Date): Promise<boolean> {
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
async function storeCalls(tx: Tx, operation: Operation, steps: readonly Step[]): Promise<Step['call']> {
  const waiting = operation.transactions.filter(({ state }) => state === 'unsigned')
  assert(waiting.length === steps.length, 'each transaction that waits was checked')
  for (const [index, step] of steps.entries()) {
    const transaction = waiting[index]!
    if (!isChanged(step, transaction)) continue
    await tx
      .updateTable('transactions')
      .set({ call: callToJson(step.call) })
      .where('organization_id', '=', operation.organizationId)
      .where('id', '=', transaction.transactionId)
      .execute()
  }
  return steps[0]!.call
}
