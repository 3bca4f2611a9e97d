import { type Chain, callToJson, evmFields, type SenderFacts } from '../chains/index.ts'
import { inTransaction, type Tx } from '../database/index.ts'
import { AGENT_POOR_MS, AGENT_UNSETTLED_MS, assert, Failure, later } from '../kernel/index.ts'
import type { Step } from '../venues/index.ts'
import type { Claim, Lease } from './agent-lease.ts'
import { buildBytes } from './build-bytes.ts'
import { fateOf } from './bytes-fate.ts'
import { checkMove, isChanged, type Verdict } from './check-move.ts'
import { endAgentOperation } from './end-agent-operation.ts'
import { giveBack, keepLease, noteRefused, pauseWork } from './keep-lease.ts'
import type { Operation, OperationTransaction } from './operation.ts'
import { chainOf, type Parts } from './parts.ts'
import { readLocked } from './read-locked.ts'
import { readOperation } from './read-operations.ts'
import { rewriteSteps } from './rewrite-steps.ts'
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

/**
 * Makes bytes for a claimed transaction. Bytes that were handed out before are the same again for as long as they can
 * land; new ones are built when there are none or they are dead, after the plan was checked again (decisions 9,
 * money-rules 1, 2, 10, 12). The chain is read outside of any transaction; bytes are committed before they are answered.
 */
export async function handOut(parts: Parts, claim: Claim, leaseDurationMs: number): Promise<HandOut> {
  try {
    return await tryToHandOut(parts, claim, leaseDurationMs)
  } catch (error) {
    const at = parts.clock.now()
    if (error instanceof Failure && error.code === 'CHAIN_UNAVAILABLE') {
      await giveBack(parts.db, claim, at)
      return 'silent'
    }
    // One that we cannot make sense of must not keep every agent from the others.
    parts.log.error({ err: error, ...claim, leaseToken: undefined }, 'a transaction could not be handed out')
    await pauseWork(parts.db, claim, later(at, AGENT_POOR_MS), 'Something went wrong on our side.')
    return 'not_now'
  }
}

async function tryToHandOut(parts: Parts, claim: Claim, leaseDurationMs: number): Promise<HandOut> {
  const sight = { organizationId: claim.organizationId, walletProfileId: null }
  const operation = await readOperation(parts.db, sight, claim.operationId)
  const transaction = operation.transactions.find(({ transactionId }) => transactionId === claim.transactionId)
  // What ended or was submitted between the claim and this read has left the queue by itself.
  if (operation.state !== 'EXECUTING' || transaction?.state !== 'unsigned') return 'not_now'
  const chain = chainOf(parts, claim.blockchain)
  const commit = (work: Build) => commitBytes(parts, claim, leaseDurationMs, transaction, work)
  const pause = async (milliseconds: number, because: string): Promise<'not_now'> => {
    await pauseWork(parts.db, claim, later(parts.clock.now(), milliseconds), because)
    return 'not_now'
  }

  if (transaction.watched) {
    const facts = await chain.sender(transaction.sender)
    const fate = fateOf(transaction, facts)
    if (fate === 'stored') return commit(async (_tx, current) => current.transaction)
    if (fate === 'unsettled')
      return pause(AGENT_UNSETTLED_MS, 'Whether the bytes that were handed out landed is not settled.')
    const gas = evmFields(transaction.unsignedBytes).gasLimit
    return commit((tx, current) => build(parts, tx, chain, current, { facts, gas, nonce: transaction.nonce }))
  }
  if (chain.network.family === 'svm' && (await hasLiveLeftovers(parts, operation, transaction))) {
    return pause(AGENT_UNSETTLED_MS, 'Bytes of an earlier operation of this wallet may still land.')
  }
  const verdict = await checkMove(parts, chain, operation)
  if (verdict.kind === 'poor') return pause(AGENT_POOR_MS, verdict.why)
  if (verdict.kind === 'other_approvals') {
    await rewriteSteps(parts, operation, verdict.steps)
    return 'not_now'
  }
  if (verdict.kind !== 'holds') return refuse(parts, claim, verdict)
  const { facts, gas, steps } = verdict
  return commit(async (tx, current) => {
    const calls = await storeCalls(tx, current.operation, steps)
    const nonce = await nextNonceOf(tx, current.operation, facts)
    return build(
      parts,
      tx,
      chain,
      { ...current, transaction: { ...current.transaction, ...calls } },
      { facts, gas, nonce },
    )
  })
}

interface Current {
  readonly operation: Operation
  readonly transaction: OperationTransaction
}

type Build = (tx: Tx, current: Current) => Promise<OperationTransaction>

/** Everything is judged again under the wallet's lock. What changed meanwhile is left for another claim. */
async function commitBytes(
  parts: Parts,
  claim: Claim,
  leaseDurationMs: number,
  read: OperationTransaction,
  work: Build,
): Promise<HandOut> {
  return inTransaction(parts.db, async (tx) => {
    const at = parts.clock.now()
    const sight = { organizationId: claim.organizationId, walletProfileId: null }
    const operation = await readLocked(tx, sight, claim.operationId)
    const transaction = operation.transactions.find(({ transactionId }) => transactionId === claim.transactionId)
    if (operation.state !== 'EXECUTING' || transaction?.state !== 'unsigned') return 'not_now'
    if (transaction.watched !== read.watched || transaction.unsignedBytes !== read.unsignedBytes) {
      await pauseWork(tx, claim, later(at, AGENT_UNSETTLED_MS), 'Its bytes died while they were looked at.')
      return 'not_now'
    }
    const lease = await keepLease(tx, claim, leaseDurationMs, !read.watched, at)
    if (!lease) return 'not_now'
    return { operation, transaction: await work(tx, { operation, transaction }), lease }
  })
}

async function build(
  parts: Parts,
  tx: Tx,
  chain: Chain,
  { operation, transaction }: Current,
  { facts, gas, nonce }: { facts: SenderFacts; gas: bigint; nonce: number | null },
): Promise<OperationTransaction> {
  const { sender, call, transactionId } = transaction
  const plan = { sender, call, nonce, gas, facts, transactionId }
  const bytes = buildBytes(chain, plan, operation.expiresAt, parts.clock.now())
  await storeBytes(tx, operation.organizationId, transactionId, bytes)
  return { ...transaction, ...bytes, watched: true }
}

/** Keeps calls as the venue wants them now, of everything that waits. Returns the first, whose bytes come next. */
async function storeCalls(tx: Tx, operation: Operation, steps: readonly Step[]): Promise<Pick<Step, 'call'>> {
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
  return { call: steps[0]!.call }
}

/** Ends what cannot hold any more, or what was refused often enough for long enough; otherwise it waits. */
async function refuse(
  parts: Parts,
  claim: Claim,
  { kind, why }: Extract<Verdict, { why: string }>,
): Promise<'not_now'> {
  await inTransaction(parts.db, async (tx) => {
    const at = parts.clock.now()
    const sight = { organizationId: claim.organizationId, walletProfileId: null }
    const operation = await readLocked(tx, sight, claim.operationId)
    if (operation.state !== 'EXECUTING') return
    const isLast = kind === 'gone' || (await noteRefused(tx, claim, at, why))
    if (isLast) await endAgentOperation(tx, operation, 'aborted', `The plan no longer holds: ${why}`, at)
  })
  return 'not_now'
}

/** Solana: an agent's operation of this wallet and token ended, and its bytes are not dead (money-rules 2). */
async function hasLiveLeftovers(
  parts: Parts,
  operation: Operation,
  { sender, blockchain }: OperationTransaction,
): Promise<boolean> {
  const found = await parts.db
    .selectFrom('transactions as t')
    .innerJoin('operations as o', (join) =>
      join.onRef('o.organization_id', '=', 't.organization_id').onRef('o.id', '=', 't.operation_id'),
    )
    .innerJoin('strategies as s', 's.id', 'o.strategy_id')
    .innerJoin('strategies as own', (join) =>
      join.onRef('own.token_address', '=', 's.token_address').on('own.id', '=', operation.strategyId),
    )
    .select('t.id')
    .where('t.blockchain', '=', blockchain)
    .where('t.sender', '=', sender)
    .where('t.watched', '=', true)
    .where('t.organization_id', '=', operation.organizationId)
    .where('o.id', '<>', operation.operationId)
    .where('o.executor', '=', 'agent')
    .where('o.state', 'in', ['COMPLETED', 'FAILED', 'ABORTED', 'REJECTED'])
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}
