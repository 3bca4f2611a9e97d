import { sql } from 'kysely'
import {
  type Database,
  extendTransact,
  inTransaction,
  type Transact,
  type Tx,
  transactOn,
} from '../../database/index.ts'
import {
  addMilliseconds,
  assert,
  type Clock,
  Failure,
  type Log,
  outageLogsBy,
  SANDBOX_TRANSFER_RECHECK_MS,
  SANDBOX_TRANSFER_REFUSED_RETRY_MS,
  SANDBOX_TRANSFER_UNAVAILABLE_RETRY_MS,
  SANDBOX_TRANSFERS_BATCH,
} from '../../kernel/index.ts'
import type { TransferEvent } from '../provider/port.ts'
import { FAILURE_REASONS, type ScenarioStep } from './scenarios.ts'
import type { SandboxSecrets } from './secrets.ts'
import type { TokenSender, TokenTransferStatus } from './token-sender.ts'
import {
  type SandboxTransfer,
  type SandboxTransferSnapshot,
  sandboxTransferFrom,
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

const outagesOf = outageLogsBy({
  away: 'a step of a simulated payment failed',
  back: 'a step of a simulated payment succeeded after failures',
  level: 'error',
})

/**
 * Runs one step of each due payment. All state is in rows, so another process can continue after a crash; a step's event
 * is applied in the step's transaction. Returns the number of steps done.
 */
export async function runDueTransfers(parts: RunTransfersParts, apply: ApplyEvent): Promise<number> {
  const rows = await parts.db
    .selectFrom('ramp_sandbox_transfers')
    .selectAll()
    .where('due_at', '<=', parts.clock.now())
    .orderBy('due_at')
    .limit(SANDBOX_TRANSFERS_BATCH)
    .execute()
  const outages = outagesOf(parts.log, parts.log)
  let done = 0
  for (const transfer of rows.map(sandboxTransferFrom)) {
    const part = { organizationId: transfer.organizationId, reference: transfer.reference }
    try {
      if (await runStep(parts, transfer, apply)) done += 1
      outages.recovered(part)
    } catch (error) {
      // A failing payment must not block the others: without a delay it would always be the first one due.
      const isUnavailable = error instanceof Failure && error.code === 'CHAIN_UNAVAILABLE'
      if (!isUnavailable) outages.failed(part, { err: error })
      await postpone(
        parts,
        transfer,
        isUnavailable ? SANDBOX_TRANSFER_UNAVAILABLE_RETRY_MS : SANDBOX_TRANSFER_REFUSED_RETRY_MS,
      )
    }
  }
  return done
}

async function runStep(parts: RunTransfersParts, transfer: SandboxTransfer, apply: ApplyEvent): Promise<boolean> {
  const next = stepsOf(transfer)[transfer.step + 1]
  if (next === undefined) return false
  if (next === 'give_back') return returnTokens(parts, transfer, apply)
  if (transfer.direction === 'onramp' && next === 'broadcasted') return deliver(parts, transfer, apply)
  if (transfer.direction === 'onramp' && next === 'completed') return complete(parts, transfer, apply)
  const reason = FAILURE_REASONS[next]
  return completeStep(parts, {
    transfer,
    step: next,
    update: reason === undefined ? {} : { failureReason: reason },
    apply,
  })
}

/** Sends the tokens and reports it. After a crash the stored bytes are sent again, never new ones. */
async function deliver(parts: RunTransfersParts, transfer: SandboxTransfer, apply: ApplyEvent): Promise<boolean> {
  const hash = transfer.sentHash ?? (await payOut(parts, transfer))
  if (hash === undefined) return fail(parts, transfer, 'delivery_refused', apply)
  const landing =
    transfer.sentHash === null ? 'waiting' : await parts.tokenSender.transferStatus(transfer.snapshot.blockchain, hash)
  if (landing === 'dead') return clearSentHash(parts, transfer)
  return completeStep(parts, { transfer, step: 'broadcasted', update: { txHash: hash }, apply })
}

/** Waits until the delivery is final. */
async function complete(parts: RunTransfersParts, transfer: SandboxTransfer, apply: ApplyEvent): Promise<boolean> {
  const hash = transfer.sentHash ?? (await payOut(parts, transfer))
  if (hash === undefined) return fail(parts, transfer, 'delivery_refused', apply)
  const landing = await parts.tokenSender.transferStatus(transfer.snapshot.blockchain, hash)
  if (landing === 'final') return completeStep(parts, { transfer, step: 'completed', update: { txHash: hash }, apply })
  if (landing === 'failed') return fail(parts, transfer, 'delivery_reverted', apply)
  return wait(parts, transfer, landing)
}

/** Returns tokens that are not paid out. */
async function returnTokens(parts: RunTransfersParts, transfer: SandboxTransfer, apply: ApplyEvent): Promise<boolean> {
  const { snapshot, organizationId, sentHash } = transfer
  if (sentHash !== null) {
    const landing = await parts.tokenSender.transferStatus(snapshot.blockchain, sentHash)
    if (landing === 'final')
      return completeStep(parts, { transfer, step: 'give_back', update: { returnTxHash: sentHash }, apply })
    return wait(parts, transfer, landing === 'failed' ? 'dead' : landing)
  }
  if (snapshot.tokensTo === null) return endWithoutReturn(parts, transfer)
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
  await postpone(parts, transfer, SANDBOX_TRANSFER_RECHECK_MS)
  return false
}

/** Ends a payment whose tokens stay at the deposit address. */
async function endWithoutReturn({ db }: RunTransfersParts, transfer: SandboxTransfer): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('ramp_sandbox_transfers')
    .set({ due_at: null })
    .where('reference', '=', transfer.reference)
    .where('step', '=', transfer.step)
    .where('due_at', 'is not', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** The hash of the delivery; `undefined` if the wallet rejects it. */
async function payOut(parts: RunTransfersParts, transfer: SandboxTransfer): Promise<string | undefined> {
  const { snapshot, organizationId } = transfer
  assert(snapshot.tokensTo !== null, 'a delivery has a wallet')
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

/** Clears the hash once the sent bytes are dead, so that new bytes cannot pay twice. */
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
  await postpone(parts, transfer, SANDBOX_TRANSFER_RECHECK_MS)
  return false
}

/** Throws if another process was faster, so that only its bytes are sent, or if the tokens go there no longer. */
async function recordSentHash(tx: Tx, transfer: SandboxTransfer, hash: string): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('ramp_sandbox_transfers')
    .set({ sent_hash: hash })
    .where('reference', '=', transfer.reference)
    .where('step', '=', transfer.step)
    .where('sent_hash', 'is', null)
    .where(sql<boolean>`snapshot ->> 'tokensTo' = ${transfer.snapshot.tokensTo}`)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw new Failure('CHAIN_UNAVAILABLE', { cause: 'another process already sends it' })
}

interface CompletedStep {
  readonly transfer: SandboxTransfer
  readonly step: ScenarioStep
  readonly update: SnapshotUpdate
  readonly apply: ApplyEvent
  readonly ends?: boolean
}

/** Completes a step and applies its event in one transaction. No effect if another process completed it meanwhile. */
async function completeStep(
  parts: RunTransfersParts,
  { transfer, step, update, apply, ends = transfer.step + 2 >= stepsOf(transfer).length }: CompletedStep,
): Promise<boolean> {
  const { reference, sequence } = transfer
  const updated = { ...update, failureReason: transfer.snapshot.failureReason ?? update.failureReason ?? null }
  const snapshot = { ...transfer.snapshot, ...updated }
  const status = step === 'give_back' ? stepsOf(transfer)[transfer.step]! : step
  const now = parts.clock.now()
  return inTransaction(parts.db, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('ramp_sandbox_transfers')
      .set({
        step: transfer.step + 1,
        sequence: sequence + 1,
        due_at: ends ? null : addMilliseconds(now, transfer.delayMs),
        // Only what changed: a chain may have lost its history meanwhile, and with it where tokens return to.
        snapshot: sql<string>`snapshot || ${JSON.stringify(updated)}::jsonb`,
      })
      .where('reference', '=', reference)
      .where('step', '=', transfer.step)
      .where('due_at', 'is not', null)
      .executeTakeFirst()
    if (numUpdatedRows !== 1n) return false
    await apply(tx, transferEvent(reference, sequence + 1, status as TransferEvent['status'], snapshot))
    return true
  })
}

/** Fails a payment for a reason outside its scenario. */
function fail(
  parts: RunTransfersParts,
  transfer: SandboxTransfer,
  failureReason: string,
  apply: ApplyEvent,
): Promise<boolean> {
  parts.log.warn(
    { organizationId: transfer.organizationId, reference: transfer.reference, failureReason },
    'failed to deliver a simulated payment',
  )
  return completeStep(parts, { transfer, step: 'failed', update: { failureReason }, apply, ends: true })
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
