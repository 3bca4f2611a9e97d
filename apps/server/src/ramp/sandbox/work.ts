import { type Database, inTransaction, type Tx } from '../../database/index.ts'
import { type Clock, Failure, type Log, later } from '../../kernel/index.ts'
import type { TransferEvent } from '../port.ts'
import type { EmbeddedMoney, Landing } from './money.ts'
import { REASONS, type Step } from './scenarios.ts'
import type { SandboxSecrets } from './secrets.ts'
import { factsToJson, stepsOf, type Transfer, type TransferFacts, transferEvent, transferFrom } from './transfer.ts'

export interface WorkParts {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  readonly money: EmbeddedMoney
  readonly secrets: SandboxSecrets
}

type Take = (tx: Tx, event: TransferEvent) => Promise<void>
type News = Partial<Pick<TransferFacts, 'txHash' | 'returnTxHash' | 'failureReason'>>

/** So many payments are looked at in one round. */
const MOST = 100
/** What waits for a chain is looked at again so soon; what a chain did not answer, a little later. */
const LOOK_AGAIN_MS = 150
const TRY_AGAIN_MS = 1_000
/** What cannot be done now may be possible later: a return, say, that whoever sent the tokens does not take. */
const REFUSED_AGAIN_MS = 30_000

/**
 * Does what is due: one step of each payment whose time has come. All that it knows is in rows, so that another process
 * goes on where one ended; a step is told in the transaction that does it. Returns how many steps were done.
 */
export async function workTransfers(parts: WorkParts, take: Take): Promise<number> {
  const rows = await parts.db
    .selectFrom('ramp_sandbox_transfers')
    .selectAll()
    .where('due_at', '<=', parts.clock.now())
    .orderBy('due_at')
    .limit(MOST)
    .execute()
  let done = 0
  for (const transfer of rows.map(transferFrom)) {
    try {
      if (await doStep(parts, transfer, take)) done += 1
    } catch (error) {
      // One that cannot go on must not keep the others back: it is the longest due, and would be the first every time.
      const isAway = error instanceof Failure && error.code === 'CHAIN_UNAVAILABLE'
      if (!isAway) parts.log.error({ err: error, reference: transfer.reference }, 'a step of a payment failed')
      await postpone(parts, transfer, isAway ? TRY_AGAIN_MS : REFUSED_AGAIN_MS)
    }
  }
  return done
}

async function doStep(parts: WorkParts, transfer: Transfer, take: Take): Promise<boolean> {
  const next = stepsOf(transfer)[transfer.step + 1]
  if (next === undefined) return false
  if (next === 'give_back') return giveBack(parts, transfer, take)
  if (transfer.direction === 'onramp' && next === 'broadcasted') return deliver(parts, transfer, take)
  if (transfer.direction === 'onramp' && next === 'completed') return complete(parts, transfer, take)
  const reason = REASONS[next]
  return tell(parts, transfer, next, reason === undefined ? {} : { failureReason: reason }, take)
}

/** Sends the tokens, and says so. Bytes that were stored before a crash are sent again, never others. */
async function deliver(parts: WorkParts, transfer: Transfer, take: Take): Promise<boolean> {
  const hash = transfer.sentHash ?? (await payOut(parts, transfer))
  if (hash === undefined) return fail(parts, transfer, 'delivery_refused', take)
  const landing = transfer.sentHash === null ? 'waiting' : await parts.money.look(transfer.facts.blockchain, hash)
  if (landing === 'dead') return payAgain(parts, transfer)
  return tell(parts, transfer, 'broadcasted', { txHash: hash }, take)
}

/** Waits until the delivery is final. */
async function complete(parts: WorkParts, transfer: Transfer, take: Take): Promise<boolean> {
  const hash = transfer.sentHash ?? (await payOut(parts, transfer))
  if (hash === undefined) return fail(parts, transfer, 'delivery_refused', take)
  const landing = await parts.money.look(transfer.facts.blockchain, hash)
  if (landing === 'final') return tell(parts, transfer, 'completed', { txHash: hash }, take)
  if (landing === 'failed') return fail(parts, transfer, 'delivery_reverted', take)
  return wait(parts, transfer, landing)
}

/** Tokens that are not paid out go back. */
async function giveBack(parts: WorkParts, transfer: Transfer, take: Take): Promise<boolean> {
  const { facts, organizationId, sentHash } = transfer
  if (sentHash !== null) {
    const landing = await parts.money.look(facts.blockchain, sentHash)
    if (landing === 'final') return tell(parts, transfer, 'give_back', { returnTxHash: sentHash }, take)
    return wait(parts, transfer, landing === 'failed' ? 'dead' : landing)
  }
  const payment = {
    organizationId,
    blockchain: facts.blockchain,
    token: facts.tokenAddress,
    to: facts.tokensTo,
    amount: facts.quote.tokenAmount + facts.dust,
    purpose: 'return',
    secret: parts.secrets.depositKey(transfer.accountId),
  } as const
  await parts.money.giveBack(payment, (tx, hash) => noteSent(tx, transfer, hash))
  await postpone(parts, transfer, LOOK_AGAIN_MS)
  return false
}

/** The hash of the delivery; `undefined` when the wallet does not take it. */
async function payOut({ money }: WorkParts, transfer: Transfer): Promise<string | undefined> {
  const { facts, organizationId } = transfer
  const payment = {
    organizationId,
    blockchain: facts.blockchain,
    token: facts.tokenAddress,
    to: facts.tokensTo,
    amount: facts.quote.tokenAmount,
    purpose: 'delivery',
  } as const
  let sent: string | undefined
  try {
    await money.pay(payment, async (tx, hash) => {
      await noteSent(tx, transfer, hash)
      sent = hash
    })
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'SIMULATION_FAILED') throw error
  }
  return sent
}

/** Nothing of what was sent lands any more, so that new bytes pay nothing twice. */
async function payAgain(parts: WorkParts, transfer: Transfer): Promise<boolean> {
  await parts.db
    .updateTable('ramp_sandbox_transfers')
    .set({ sent_hash: null })
    .where('reference', '=', transfer.reference)
    .where('sent_hash', '=', transfer.sentHash)
    .execute()
  return false
}

async function wait(parts: WorkParts, transfer: Transfer, landing: Landing): Promise<boolean> {
  if (landing === 'dead') return payAgain(parts, transfer)
  await postpone(parts, transfer, LOOK_AGAIN_MS)
  return false
}

/** Throws when another process was quicker, so that its bytes are the only ones. */
async function noteSent(tx: Tx, transfer: Transfer, hash: string): Promise<void> {
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
async function tell(
  parts: WorkParts,
  transfer: Transfer,
  step: Step,
  news: News,
  take: Take,
  ends = transfer.step + 2 >= stepsOf(transfer).length,
): Promise<boolean> {
  const { reference, sequence } = transfer
  const facts = {
    ...transfer.facts,
    ...news,
    failureReason: transfer.facts.failureReason ?? news.failureReason ?? null,
  }
  const status = step === 'give_back' ? stepsOf(transfer)[transfer.step]! : step
  const now = parts.clock.now()
  return inTransaction(parts.db, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('ramp_sandbox_transfers')
      .set({
        step: transfer.step + 1,
        sequence: sequence + 1,
        due_at: ends ? null : later(now, transfer.delayMs),
        snapshot: factsToJson(facts),
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
function fail(parts: WorkParts, transfer: Transfer, failureReason: string, take: Take): Promise<boolean> {
  parts.log.warn({ reference: transfer.reference, failureReason }, 'a simulated payment could not be delivered')
  return tell(parts, transfer, 'failed', { failureReason }, take, true)
}

async function postpone({ db, clock }: WorkParts, transfer: Transfer, byMs: number): Promise<void> {
  await db
    .updateTable('ramp_sandbox_transfers')
    .set({ due_at: later(clock.now(), byMs) })
    .where('reference', '=', transfer.reference)
    .where('step', '=', transfer.step)
    .where('due_at', 'is not', null)
    .execute()
}
