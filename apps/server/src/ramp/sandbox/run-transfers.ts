import {
  type Database,
  extendTransact,
  inTransaction,
  type Transact,
  type Tx,
  transactOn,
} from '../../database/index.ts'
import { addMilliseconds, type Clock, Failure, type Log } from '../../kernel/index.ts'
import type { TransferEvent } from '../provider/port.ts'
import { FAILURE_REASONS, type ScenarioStep } from './scenarios.ts'
import type { SandboxSecrets } from './secrets.ts'
import type { TokenSender, TokenTransferStatus } from './token-sender.ts'
import {
  type SandboxTransfer,
  type SandboxTransferSnapshot,
  sandboxTransferFrom,
  snapshotToJson,
  stepsOf,
  transferEvent,
} from './transfer.ts'

interface RunTransfersParts {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  readonly tokenSender: TokenSender
  readonly secrets: SandboxSecrets
}

type ApplyEvent = (tx: Tx, event: TransferEvent) => Promise<void>
type SnapshotUpdate = Partial<Pick<SandboxTransferSnapshot, 'txHash' | 'returnTxHash' | 'failureReason'>>

/** So many payments are looked at in one round. */
const BATCH = 100
/** What waits for a chain is looked at again so soon; what a chain did not answer, a little later. */
const RECHECK_MS = 150
const RETRY_UNAVAILABLE_MS = 1_000
/** What cannot be done now may be possible later: a return, say, that whoever sent the tokens does not take. */
const RETRY_REFUSED_MS = 30_000

/**
 * Does what is due: one step of each payment whose time has come. All that it knows is in rows, so that another process
 * goes on where one ended; a step is told in the transaction that does it. Returns how many steps were done.
 */
export async function runDueTransfers(parts: RunTransfersParts, take: ApplyEvent): Promise<number> {
  const rows = await parts.db
    .selectFrom('ramp_sandbox_transfers')
    .selectAll()
    .where('due_at', '<=', parts.clock.now())
    .orderBy('due_at')
    .limit(BATCH)
    .execute()
  let done = 0
  for (const transfer of rows.map(sandboxTransferFrom)) {
    try {
      if (await runStep(parts, transfer, take)) done += 1
    } catch (error) {
      // One that cannot go on must not keep the others back: it is the longest due, and would be the first every time.
      const isAway = error instanceof Failure && error.code === 'CHAIN_UNAVAILABLE'
      if (!isAway) parts.log.error({ err: error, reference: transfer.reference }, 'a step of a payment failed')
      await postpone(parts, transfer, isAway ? RETRY_UNAVAILABLE_MS : RETRY_REFUSED_MS)
    }
  }
  return done
}

async function runStep(parts: RunTransfersParts, transfer: SandboxTransfer, take: ApplyEvent): Promise<boolean> {
  const next = stepsOf(transfer)[transfer.step + 1]
  if (next === undefined) return false
  if (next === 'give_back') return returnTokens(parts, transfer, take)
  if (transfer.direction === 'onramp' && next === 'broadcasted') return deliver(parts, transfer, take)
  if (transfer.direction === 'onramp' && next === 'completed') return complete(parts, transfer, take)
  const reason = FAILURE_REASONS[next]
  return completeStep(parts, transfer, next, reason === undefined ? {} : { failureReason: reason }, take)
}

/** Sends the tokens, and says so. Bytes that were stored before a crash are sent again, never others. */
async function deliver(parts: RunTransfersParts, transfer: SandboxTransfer, take: ApplyEvent): Promise<boolean> {
  const hash = transfer.sentHash ?? (await payOut(parts, transfer))
  if (hash === undefined) return fail(parts, transfer, 'delivery_refused', take)
  const landing =
    transfer.sentHash === null ? 'waiting' : await parts.tokenSender.transferStatus(transfer.snapshot.blockchain, hash)
  if (landing === 'dead') return clearSentHash(parts, transfer)
  return completeStep(parts, transfer, 'broadcasted', { txHash: hash }, take)
}

/** Waits until the delivery is final. */
async function complete(parts: RunTransfersParts, transfer: SandboxTransfer, take: ApplyEvent): Promise<boolean> {
  const hash = transfer.sentHash ?? (await payOut(parts, transfer))
  if (hash === undefined) return fail(parts, transfer, 'delivery_refused', take)
  const landing = await parts.tokenSender.transferStatus(transfer.snapshot.blockchain, hash)
  if (landing === 'final') return completeStep(parts, transfer, 'completed', { txHash: hash }, take)
  if (landing === 'failed') return fail(parts, transfer, 'delivery_reverted', take)
  return wait(parts, transfer, landing)
}

/** Tokens that are not paid out go back. */
async function returnTokens(parts: RunTransfersParts, transfer: SandboxTransfer, take: ApplyEvent): Promise<boolean> {
  const { snapshot, organizationId, sentHash } = transfer
  if (sentHash !== null) {
    const landing = await parts.tokenSender.transferStatus(snapshot.blockchain, sentHash)
    if (landing === 'final') return completeStep(parts, transfer, 'give_back', { returnTxHash: sentHash }, take)
    return wait(parts, transfer, landing === 'failed' ? 'dead' : landing)
  }
  const payment = {
    organizationId,
    blockchain: snapshot.blockchain,
    token: snapshot.tokenAddress,
    to: snapshot.tokensTo,
    amount: snapshot.quote.tokenAmount + snapshot.dust,
    purpose: 'return',
    secret: parts.secrets.depositKey(transfer.accountId),
  } as const
  await parts.tokenSender.returnTokens(payment, recordingSentHash(parts, transfer))
  await postpone(parts, transfer, RECHECK_MS)
  return false
}

/** The hash of the delivery; `undefined` when the wallet does not take it. */
async function payOut(parts: RunTransfersParts, transfer: SandboxTransfer): Promise<string | undefined> {
  const { snapshot, organizationId } = transfer
  const payment = {
    organizationId,
    blockchain: snapshot.blockchain,
    token: snapshot.tokenAddress,
    to: snapshot.tokensTo,
    amount: snapshot.quote.tokenAmount,
    purpose: 'delivery',
  } as const
  try {
    return await parts.tokenSender.pay(payment, recordingSentHash(parts, transfer))
  } catch (error) {
    if (error instanceof Failure && error.code === 'SIMULATION_FAILED') return undefined
    throw error
  }
}

/** The transaction that stores a transfer's bytes also records which bytes they are. */
function recordingSentHash({ db }: RunTransfersParts, transfer: SandboxTransfer): Transact<string> {
  const transact: Transact<string> = transactOn(db)
  return extendTransact(transact, async (tx, hash: string) => {
    await recordSentHash(tx, transfer, hash)
    return hash
  })
}

/** Nothing of what was sent lands any more, so that new bytes pay nothing twice. */
async function clearSentHash(parts: RunTransfersParts, transfer: SandboxTransfer): Promise<boolean> {
  await parts.db
    .updateTable('ramp_sandbox_transfers')
    .set({ sent_hash: null })
    .where('reference', '=', transfer.reference)
    .where('sent_hash', '=', transfer.sentHash)
    .execute()
  return false
}

async function wait(
  parts: RunTransfersParts,
  transfer: SandboxTransfer,
  landing: TokenTransferStatus,
): Promise<boolean> {
  if (landing === 'dead') return clearSentHash(parts, transfer)
  await postpone(parts, transfer, RECHECK_MS)
  return false
}

/** Throws when another process was quicker, so that its bytes are the only ones. */
async function recordSentHash(tx: Tx, transfer: SandboxTransfer, hash: string): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('ramp_sandbox_transfers')
    .set({ sent_hash: hash })
    .where('reference', '=', transfer.reference)
    .where('step', '=', transfer.step)
    .where('sent_hash', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw new Failure('CHAIN_UNAVAILABLE', { cause: 'another process sends it already' })
}

/** The step is done, and told, in one transaction; nothing happens when another process did it meanwhile. */
async function completeStep(
  parts: RunTransfersParts,
  transfer: SandboxTransfer,
  step: ScenarioStep,
  news: SnapshotUpdate,
  take: ApplyEvent,
  ends = transfer.step + 2 >= stepsOf(transfer).length,
): Promise<boolean> {
  const { reference, sequence } = transfer
  const facts = {
    ...transfer.snapshot,
    ...news,
    failureReason: transfer.snapshot.failureReason ?? news.failureReason ?? null,
  }
  const status = step === 'give_back' ? stepsOf(transfer)[transfer.step]! : step
  const now = parts.clock.now()
  return inTransaction(parts.db, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('ramp_sandbox_transfers')
      .set({
        step: transfer.step + 1,
        sequence: sequence + 1,
        due_at: ends ? null : addMilliseconds(now, transfer.delayMs),
        snapshot: snapshotToJson(facts),
      })
      .where('reference', '=', reference)
      .where('step', '=', transfer.step)
      .where('due_at', 'is not', null)
      .executeTakeFirst()
    if (numUpdatedRows !== 1n) return false
    await take(tx, transferEvent(reference, sequence + 1, status as TransferEvent['status'], facts))
    return true
  })
}

/** What the scenario did not foresee. */
function fail(
  parts: RunTransfersParts,
  transfer: SandboxTransfer,
  failureReason: string,
  take: ApplyEvent,
): Promise<boolean> {
  parts.log.warn({ reference: transfer.reference, failureReason }, 'a simulated payment could not be delivered')
  return completeStep(parts, transfer, 'failed', { failureReason }, take, true)
}

async function postpone({ db, clock }: RunTransfersParts, transfer: SandboxTransfer, byMs: number): Promise<void> {
  await db
    .updateTable('ramp_sandbox_transfers')
    .set({ due_at: addMilliseconds(clock.now(), byMs) })
    .where('reference', '=', transfer.reference)
    .where('step', '=', transfer.step)
    .where('due_at', 'is not', null)
    .execute()
}
