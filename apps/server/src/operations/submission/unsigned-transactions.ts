import type { Chain, SenderState } from '../../chains/index.ts'
import { inTransaction, type Tx } from '../../database/index.ts'
import type { Scope } from '../../identity/index.ts'
import { assert, Failure } from '../../kernel/index.ts'
import { walletFrom } from '../../wallets/index.ts'
import { getOperation } from '../lifecycle/get-operation.ts'
import { lockOperation } from '../lifecycle/lock-operation.ts'
import { moveTransaction } from '../lifecycle/move-transactions.ts'
import type { Operation } from '../lifecycle/operation.ts'
import { chainOf, type Parts } from '../lifecycle/parts.ts'
import {
  type IssuedTransaction,
  isIssued,
  isUnsigned,
  type OperationTransaction,
  type UnsignedTransaction,
  withBytes,
} from '../lifecycle/transaction.ts'
import { prepareSteps } from '../planning/prepare-steps.ts'
import { readPlanningState } from '../planning/read-planning-state.ts'
import { buildBytes } from '../transactions/build-bytes.ts'
import { invalidateConsumedNonces } from '../transactions/invalidate-consumed-nonces.ts'
import { decideRebuild, type RebuildDecision } from '../transactions/rebuild-decision.ts'
import { requireClientExecutor, requireNotExpired } from './require-submittable.ts'

/** Somebody may submit or settle between the reads and the lock; then everything is read again, so many times. */
const REBUILD_ATTEMPTS = 3

/**
 * What of an operation waits for a signature, in order: the stored bytes as long as they can land, otherwise new ones
 * with the same effect (rule 1, contract 6). On EVM chains:
 *
 * - Bytes whose fee cap is below the present base fee get the same nonce with new fees.
 * - Bytes are rebuilt with a new nonce only when they are known to be dead: their nonce was used by something else,
 *   finally. While it is used but that is not settled, nothing is rebuilt: CHAIN_UNAVAILABLE. The follower finds them
 *   dead; where the block that used their nonce was settled before they were built, it is found here.
 * - A later transaction whose old bytes are alive at or below the new nonce is left out: signed as it stands it would
 *   land before, or instead of, the one that must come first. It is handed out again once its bytes are dead.
 *
 * On Solana bytes are rebuilt with a fresh blockhash when the follower found them dead, or when the caller promises with
 * `discard` that the old ones go nowhere.
 *
 * What is rebuilt is simulated again. Errors: OPERATION_NOT_FOUND, INVALID_OPERATION_STATUS, OPERATION_EXPIRED,
 * INSUFFICIENT_GAS, SIMULATION_FAILED, CHAIN_UNAVAILABLE.
 */
export async function issueUnsignedTransactions(
  parts: Parts,
  scope: Scope,
  operationId: number,
  { discard = false }: { discard?: boolean | undefined } = {},
): Promise<readonly IssuedTransaction[]> {
  for (let attempt = 0; attempt < REBUILD_ATTEMPTS; attempt += 1) {
    const operation = await getOperation(parts, scope, operationId)
    const waiting = requireWaitingTransactions(operation, parts.clock.now())
    const [first] = waiting
    if (!first) return []
    const chain = chainOf(parts, first.blockchain)
    const facts = await chain.senderState(first.sender)
    const unsettled = waiting.find((transaction) => decideClientRebuild(transaction, facts, discard) === 'unsettled')
    if (unsettled) {
      if (await invalidateConsumedNonces(parts, chain, operation, unsettled)) continue
      throw unsettledFailure(facts)
    }
    if (waiting.every((transaction) => decideClientRebuild(transaction, facts, discard) === 'stored')) {
      const before = highestPending(operation)
      return waiting.filter(isIssued).filter(({ nonce }) => nonce === null || nonce > before)
    }
    const gas = await estimateGas(chain, operation, waiting, facts)
    const rebuilt = await inTransaction(parts.db, (tx) =>
      rebuild(parts, tx, chain, scope, operationId, facts, gas, discard),
    )
    if (rebuilt) return rebuilt
  }
  throw new Failure('OPERATION_IN_PROGRESS', { details: { operationId } })
}

function requireWaitingTransactions(operation: Operation, now: Date): UnsignedTransaction[] {
  requireClientExecutor(operation)
  requireNotExpired(operation, now)
  return operation.transactions.filter(isUnsigned)
}

/** What becomes of stored bytes, where the caller of a Solana operation may have promised that they go nowhere. */
function decideClientRebuild(transaction: UnsignedTransaction, facts: SenderState, discard: boolean): RebuildDecision {
  return discard && facts.family === 'svm' ? 'renumbered' : decideRebuild(transaction, facts)
}

/** Dead is a fact, not a time-out (rule 1): until it is known, nothing is rebuilt. */
function unsettledFailure({ family }: SenderState): Failure {
  const why =
    family === 'svm'
      ? 'The blockhash of these bytes is old, and whether they landed is not settled yet.'
      : 'The nonce of these bytes was used a moment ago, and the block is not settled yet.'
  return new Failure('CHAIN_UNAVAILABLE', { message: `${why} Nothing was changed; ask again in a moment.` })
}

/** Gas limits by transaction, simulated behind whatever of the operation is on its way but in no block. */
async function estimateGas(
  chain: Chain,
  operation: Operation,
  waiting: readonly UnsignedTransaction[],
  facts: SenderState,
): Promise<ReadonlyMap<number, bigint>> {
  const isUnmined = ({ state, status, nonce }: OperationTransaction) =>
    status === 'pending' && (facts.family === 'evm' ? nonce! >= facts.latestNonce : state !== 'included')
  const steps = [...operation.transactions.filter(isUnmined), ...waiting]
  const { gas } = await prepareSteps(chain, steps[0]!.sender, steps, facts)
  return new Map(steps.map(({ transactionId }, index) => [transactionId, gas[index]!]))
}

/** Judges again under the wallet's lock and writes what must be new. `undefined`: something else waits now than was read. */
async function rebuild(
  parts: Parts,
  tx: Tx,
  chain: Chain,
  scope: Scope,
  operationId: number,
  facts: SenderState,
  gas: ReadonlyMap<number, bigint>,
  discard: boolean,
): Promise<IssuedTransaction[] | undefined> {
  const at = parts.clock.now()
  const operation = await lockOperation(tx, scope, operationId)
  const waiting = requireWaitingTransactions(operation, at)
  if (waiting.some(({ transactionId }) => !gas.has(transactionId))) return undefined
  const nextNonce = await readNextNonce(tx, operation, facts)
  let highest = highestPending(operation)
  const handedOut: IssuedTransaction[] = []
  for (const transaction of waiting) {
    const fate = decideClientRebuild(transaction, facts, discard)
    if (fate === 'unsettled') throw unsettledFailure(facts)
    const nonce = fate === 'renumbered' && nextNonce !== null ? Math.max(nextNonce, highest + 1) : transaction.nonce
    if (nonce !== null && nonce <= highest) break
    highest = nonce ?? highest
    if (fate === 'stored') {
      assert(isIssued(transaction), 'bytes that can land were issued')
      handedOut.push(transaction)
      continue
    }
    const { transactionId, sender, call } = transaction
    const plan = { sender, call, nonce, gas: gas.get(transactionId)!, senderState: facts, transactionId }
    const bytes = buildBytes(chain, plan, operation.expiresAt, at)
    await moveTransaction(tx, operation, transaction, { event: 'issued', bytes })
    handedOut.push(withBytes(transaction, bytes))
  }
  return handedOut
}

/** Nothing of an operation may land before, or instead of, what comes first in it and is on its way. */
function highestPending({ transactions }: Operation): number {
  return Math.max(-1, ...transactions.flatMap(({ status, nonce }) => (status === 'pending' ? (nonce ?? []) : [])))
}

/** The first free nonce of the sender (rule 3), which is locked from here on. */
export async function readNextNonce(tx: Tx, operation: Operation, senderState: SenderState): Promise<number | null> {
  const wallet = await tx
    .selectFrom('wallets')
    .selectAll()
    .where('organization_id', '=', operation.organizationId)
    .where('id', '=', operation.walletId)
    .executeTakeFirstOrThrow()
  return (await readPlanningState(tx, walletFrom(wallet), '', senderState)).nextNonce
}
