import type { Chain, ReplayProtection, SenderState } from '../../chains/index.ts'
import { inTransaction, type Tx } from '../../database/index.ts'
import type { Scope } from '../../identity/index.ts'
import { assert, Failure, REBUILD_ATTEMPTS_MAX } from '../../kernel/index.ts'
import { walletFrom } from '../../wallets/index.ts'
import { getOperation } from '../lifecycle/conflicts/get-operation.ts'
import { chainOf, type Parts } from '../lifecycle/parts.ts'
import { lockOperation } from '../lifecycle/reads/lock-operation.ts'
import type { Operation } from '../lifecycle/states/operation.ts'
import { isUnfinished } from '../lifecycle/states/operation-states.ts'
import {
  type IssuedTransaction,
  isIssued,
  isUnsigned,
  type OperationTransaction,
  type UnsubmittedTransaction,
  withBytes,
} from '../lifecycle/states/transaction.ts'
import { advanceTransaction } from '../lifecycle/transitions/advance-transactions.ts'
import { prepareSteps } from '../planning/prepare-steps.ts'
import { type PlanningState, readPlanningState } from '../planning/read-planning-state.ts'
import { buildBytes } from '../transactions/build-bytes.ts'
import { invalidateConsumedNonces } from '../transactions/invalidate-consumed-nonces.ts'
import { decideRebuild, type RebuildDecision } from '../transactions/rebuild-decision.ts'
import { requireClientExecutor, requireNotExpired } from './require-submittable.ts'

/**
 * Issues the operation's transactions that await a signature, in order: the stored bytes as long as they can land,
 * otherwise new ones with the same effect (rule 1, contract 6). On EVM chains:
 *
 * - Bytes whose fee cap is below the current base fee keep their nonce and get new fees.
 * - Bytes get a new nonce only once they are dead: a final block used their nonce for another transaction. Until that
 *   is settled, nothing is rebuilt: CHAIN_UNAVAILABLE. Normally the follower invalidates them. If the block that used
 *   the nonce was settled before the bytes were built, this function does.
 * - A later transaction whose bytes can still land at or below the new nonce is omitted: once signed, it would land
 *   before, or instead of, the transaction that must come first. It is issued again once its bytes are dead.
 *
 * On Solana bytes are rebuilt with a fresh blockhash once the follower invalidated them, or if the caller promises with
 * `discard` that the old ones will not be sent.
 *
 * Rebuilt transactions are simulated again. Errors: OPERATION_NOT_FOUND, INVALID_OPERATION_STATUS, OPERATION_EXPIRED,
 * OPERATION_IN_PROGRESS (others keep changing it), INSUFFICIENT_GAS, SIMULATION_FAILED, CHAIN_UNAVAILABLE.
 */
export async function issueUnsignedTransactions(
  parts: Parts,
  scope: Scope,
  operationId: number,
  { discard = false }: { discard?: boolean | undefined } = {},
): Promise<readonly IssuedTransaction[]> {
  for (let attempt = 0; attempt < REBUILD_ATTEMPTS_MAX; attempt += 1) {
    const operation = await getOperation(parts, scope, operationId)
    const waiting = requireWaitingTransactions(operation, parts.clock.now())
    const [first] = waiting
    if (!first) return []
    const chain = chainOf(parts, first.blockchain)
    const senderState = await chain.senderState(first.sender)
    const unsettled = waiting.find(
      (transaction) => decideClientRebuild(chain, transaction, senderState, discard) === 'wait',
    )
    if (unsettled) {
      if (await invalidateConsumedNonces(parts, chain, operation, unsettled)) continue
      throw unsettledFailure(chain)
    }
    if (waiting.every((transaction) => decideClientRebuild(chain, transaction, senderState, discard) === 'reuse')) {
      const before = highestPending(operation)
      return waiting.filter(isIssued).filter(({ nonce }) => nonce === null || nonce > before)
    }
    const gas = await estimateGas(chain, operation, waiting, senderState)
    const rebuilt = await inTransaction(parts.db, (tx) =>
      rebuild(parts, tx, chain, { scope, operationId, senderState, gas, discard }),
    )
    if (rebuilt) return rebuilt
  }
  throw new Failure('OPERATION_IN_PROGRESS', { details: { operationId } })
}

function requireWaitingTransactions(operation: Operation, now: Date): UnsubmittedTransaction[] {
  requireClientExecutor(operation)
  const waiting = operation.transactions.filter(isUnsigned)
  // Everything was submitted: expiry never ends an operation with something in flight (contract 6).
  if (waiting.length === 0 && isUnfinished(operation.state)) return waiting
  requireNotExpired(operation, now)
  return waiting
}

/** {@link decideRebuild}, but with `discard` bytes that only their blockhash rules out are always rebuilt. */
function decideClientRebuild(
  chain: Chain,
  transaction: UnsubmittedTransaction,
  senderState: SenderState,
  discard: boolean,
): RebuildDecision {
  return discard && chain.replayProtection === 'blockhash' ? 'rebuild' : decideRebuild(chain, transaction, senderState)
}

/** Bytes are dead only once the chain proves it, never after a timeout (rule 1). Until then nothing is rebuilt. */
function unsettledFailure({ replayProtection }: Chain): Failure {
  return new Failure('CHAIN_UNAVAILABLE', {
    message: `${UNSETTLED[replayProtection]} Nothing was changed; try again in a moment.`,
  })
}

const UNSETTLED: Readonly<Record<ReplayProtection, string>> = {
  nonce: 'The nonce of these bytes was used a moment ago, and the block is not settled yet.',
  blockhash: 'The blockhash of these bytes is old, and it is not known yet whether they landed.',
}

/** Gas limits by transaction, simulated after those of the operation that are pending but in no block. */
async function estimateGas(
  chain: Chain,
  operation: Operation,
  waiting: readonly UnsubmittedTransaction[],
  senderState: SenderState,
): Promise<ReadonlyMap<number, bigint>> {
  const { nonces } = senderState
  const isUnmined = ({ state, status, nonce }: OperationTransaction) =>
    status === 'pending' && (nonces ? nonce! >= nonces.latest : state !== 'included')
  const steps = [...operation.transactions.filter(isUnmined), ...waiting]
  const { gas } = await prepareSteps(chain, steps[0]!.sender, steps, senderState)
  return new Map(steps.map(({ transactionId }, index) => [transactionId, gas[index]!]))
}

interface RebuildInput {
  readonly scope: Scope
  readonly operationId: number
  readonly senderState: SenderState
  readonly gas: ReadonlyMap<number, bigint>
  readonly discard: boolean
}

/** Decides again under the wallet's lock, and stores new bytes. `undefined`: the waiting transactions changed. */
async function rebuild(
  parts: Parts,
  tx: Tx,
  chain: Chain,
  { scope, operationId, senderState, gas, discard }: RebuildInput,
): Promise<IssuedTransaction[] | undefined> {
  const at = parts.clock.now()
  const operation = await lockOperation(tx, scope, operationId)
  const waiting = requireWaitingTransactions(operation, at)
  if (waiting.some(({ transactionId }) => !gas.has(transactionId))) return undefined
  const { nextNonce } = await readWalletState(tx, operation, senderState)
  let highest = highestPending(operation)
  const issued: IssuedTransaction[] = []
  for (const transaction of waiting) {
    const decision = decideClientRebuild(chain, transaction, senderState, discard)
    if (decision === 'wait') throw unsettledFailure(chain)
    const nonce = decision === 'rebuild' && nextNonce !== null ? Math.max(nextNonce, highest + 1) : transaction.nonce
    if (nonce !== null && nonce <= highest) break
    highest = nonce ?? highest
    if (decision === 'reuse') {
      assert(isIssued(transaction), 'bytes that can land were issued')
      issued.push(transaction)
      continue
    }
    const { transactionId, sender, call } = transaction
    const plan = { sender, call, nonce, gas: gas.get(transactionId)!, senderState, transactionId }
    const bytes = buildBytes(chain, plan, operation.expiresAt, at)
    await advanceTransaction(tx, operation, transaction, { event: 'issued', bytes })
    issued.push(withBytes(transaction, bytes))
  }
  return issued
}

/** The highest nonce of the operation's pending transactions; no later transaction may take it or a lower one. */
function highestPending({ transactions }: Operation): number {
  return Math.max(-1, ...transactions.flatMap(({ status, nonce }) => (status === 'pending' ? (nonce ?? []) : [])))
}

/** The wallet's unfinished operations and its first free nonce (rule 3). Locks the sender. */
export async function readWalletState(
  tx: Tx,
  operation: Operation,
  senderState: SenderState,
): Promise<Pick<PlanningState, 'unfinished' | 'nextNonce'>> {
  const wallet = await tx
    .selectFrom('wallets')
    .selectAll()
    .where('organization_id', '=', operation.organizationId)
    .where('id', '=', operation.walletId)
    .executeTakeFirstOrThrow()
  return readPlanningState(tx, walletFrom(wallet), '', senderState)
}
