import { sql } from 'kysely'
import { inTransaction, type Tx } from '../database/index.ts'
import type { Sight } from '../identity/index.ts'
import { assert, Failure } from '../kernel/index.ts'
import { post } from '../ledger/index.ts'
import { advance } from './advance.ts'
import { findMonitored } from './find-monitored.ts'
import { getOperation } from './get-operation.ts'
import { offerToAgents } from './offer-to-agents.ts'
import type { Operation } from './operation.ts'
import { chainOf, type Parts } from './parts.ts'
import { readLocked } from './read-locked.ts'
import { unfinishedOperations } from './read-operations.ts'
import { approvalsOf, recordDecision } from './record-decision.ts'

export interface Judgement {
  readonly sight: Sight
  readonly operationId: number
  /** Who judges. */
  readonly userId: number
}

export interface Approved {
  readonly operation: Operation
  /** How many people have approved, this one counted. */
  readonly approvals: number
}

/**
 * Approves an operation; with the last approval that the policy asked for it goes to the agents, if the wallet still
 * holds what it needs (specification 3.1, decisions 7 and 8). The same person twice changes nothing. What no longer
 * holds is ABORTED, never changed (money-rules 10): the approval is answered INVALID_OPERATION_STATUS then, and
 * `aborted` is called in place of `finish`.
 *
 * Errors: OPERATION_NOT_FOUND, INVALID_OPERATION_STATUS, OPERATION_IN_PROGRESS (another operation of the wallet is on
 * its way), CHAIN_UNAVAILABLE.
 */
export async function approveOperation(
  parts: Parts,
  input: Judgement,
  finish?: (tx: Tx, approved: Approved) => Promise<void>,
  aborted?: (tx: Tx, operation: Operation) => Promise<void>,
): Promise<Approved> {
  const read = await getOperation(parts, input.sight, input.operationId)
  requireAwaiting(read)
  const onChain = await balanceFor(parts, read)
  const { approved, fault } = await inTransaction(parts.db, async (tx) => {
    const at = parts.clock.now()
    const operation = await readLocked(tx, input.sight, input.operationId)
    requireAwaiting(operation)
    await recordDecision(tx, operation, input.userId, 'approve', at)
    const approvals = await approvalsOf(tx, operation)
    if (approvals < operation.requiredApprovals) return finishWith(tx, { operation, approvals }, finish)
    const [blocking] = (await unfinishedOperations(tx, operation)).filter(isAnotherThan(operation))
    if (blocking) throw new Failure('OPERATION_IN_PROGRESS', { details: { operationId: blocking.operationId } })
    const fault = onChain === undefined ? undefined : await shortfallOf(tx, operation, onChain)
    if (fault !== undefined) {
      const ended = await advance(tx, [{ operation, event: 'aborted', explanation: fault }], at)
      await post(tx, ended.entries)
      await aborted?.(tx, { ...operation, state: 'ABORTED', completedAt: at, updatedAt: at })
      return { fault }
    }
    return finishWith(tx, { operation: await release(tx, operation, at), approvals }, finish)
  })
  if (approved) return approved
  throw new Failure('INVALID_OPERATION_STATUS', { message: `The operation was aborted instead: ${fault}` })
}

interface Outcome {
  readonly approved?: Approved
  /** Why the plan holds no more; the operation was aborted. */
  readonly fault?: string
}

async function finishWith(
  tx: Tx,
  approved: Approved,
  finish: ((tx: Tx, approved: Approved) => Promise<void>) | undefined,
): Promise<Outcome> {
  await finish?.(tx, approved)
  return { approved }
}

/** Hands an approved operation to the agents. */
async function release(tx: Tx, operation: Operation, at: Date): Promise<Operation> {
  await advance(tx, [{ operation, event: 'approved' }], at)
  await tx
    .updateTable('operations')
    .set({ approved_at: at })
    .where('organization_id', '=', operation.organizationId)
    .where('id', '=', operation.operationId)
    .execute()
  await offerToAgents(tx, operation, at)
  return { ...operation, state: 'EXECUTING', approvedAt: at, updatedAt: at }
}

/** What a supply spends, as the chain shows it now; `undefined` for an unwind, which spends nothing. */
async function balanceFor(parts: Parts, operation: Operation): Promise<bigint | undefined> {
  if (operation.type !== 'SUPPLY') return undefined
  const { wallet, opWallet } = await findMonitored(parts.db, monitoredOf(operation))
  const [balance = 0n] = await chainOf(parts, wallet.blockchain).balances([
    { owner: wallet.address, token: opWallet.tokenAddress },
  ])
  return balance
}

/** Why a supply would take more than the wallet holds beyond its buffer and other operations. */
async function shortfallOf(tx: Tx, operation: Operation, onChain: bigint): Promise<string | undefined> {
  const { opWallet } = await findMonitored(tx, monitoredOf(operation))
  const { amount: held } = await tx
    .selectFrom('reservations')
    .select(sql<bigint>`coalesce(sum(amount), 0)`.as('amount'))
    .where('organization_id', '=', operation.organizationId)
    .where('wallet_id', '=', operation.walletId)
    .where('token_address', '=', opWallet.tokenAddress)
    .where('released_at', 'is', null)
    .where('operation_id', '<>', operation.operationId)
    .executeTakeFirstOrThrow()
  const isCovered = (operation.amount ?? 0n) <= onChain - held - opWallet.buffer
  return isCovered ? undefined : 'The wallet no longer holds that much above its buffer.'
}

function monitoredOf({ organizationId, opWalletId }: Operation) {
  assert(opWalletId !== null, 'an operation that waits for approval serves an operational wallet')
  return { organizationId, opWalletId }
}

const isAnotherThan =
  ({ operationId }: Operation) =>
  (other: Operation): boolean =>
    other.operationId !== operationId

/** Error: INVALID_OPERATION_STATUS. */
export function requireAwaiting(operation: Operation): void {
  if (operation.state === 'PENDING_APPROVAL') return
  throw new Failure('INVALID_OPERATION_STATUS', { message: 'The operation does not wait for approval.' })
}
