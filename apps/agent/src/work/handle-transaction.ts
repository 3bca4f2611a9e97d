import { type Node, NodeUnavailable } from '../chains/index.ts'
import type { Reservation, SignedTransaction } from '../journal/index.ts'
import { retryUntilAnswered } from '../service/retry-until-answered.ts'
import type { AgentTransaction } from '../service/work.ts'
import { SignerRefused, SignerUnavailable } from '../signers/index.ts'
import { checkApproved } from './check-approved.ts'
import { deliver } from './deliver.ts'
import { findConflictingBytes } from './find-conflicting-bytes.ts'
import { findNonceGap } from './find-nonce-gap.ts'
import { isDecisionCurrent } from './is-decision-current.ts'
import { holdLease, type Lease } from './lease.ts'
import type { Parts } from './parts.ts'
import { reservationOf, reserveWithinLimits } from './reserve.ts'
import { type SigningRequest, signTransaction, verifyTransaction } from './sign-transaction.ts'

/**
 * Handles one transaction from poll to report: verify, sign, journal, send, report. When the outcome is undecided, the
 * lease lapses and the service issues the transaction again. What the agent cannot verify, or the signer refuses, is
 * reported as failed. One transaction of an operation is decided at a time; others are held.
 */
export async function handleTransaction(
  parts: Parts,
  transaction: AgentTransaction,
  stopping: AbortSignal,
): Promise<void> {
  const { locks, holds, emit } = parts
  const releaseLocks = locks.take(transaction)
  if (releaseLocks === undefined) {
    emit('held')
    const away = 'not signed: the same transaction or another one of its operation is in work'
    return holds.failed(String(transaction.id), idsOf(transaction), { away })
  }
  const lease = holdLease(transaction, parts)
  try {
    const ending = await decide(parts, transaction, lease, stopping).finally(releaseLocks)
    await ending?.()
  } catch (error) {
    const isForNow = error instanceof NodeUnavailable || error instanceof SignerUnavailable
    emit('held')
    holds.failed(
      String(transaction.id),
      { ...idsOf(transaction), err: error },
      { level: isForNow ? 'warn' : 'error', cause: String(error) },
    )
  } finally {
    lease.release()
  }
}

/** What is left once the journal has the decision: to send, to report, or nothing. */
type Ending = (() => Promise<void>) | undefined

async function decide(
  parts: Parts,
  transaction: AgentTransaction,
  lease: Lease,
  stopping: AbortSignal,
): Promise<Ending> {
  const { journal, signer, nodes, holds, emit } = parts
  const { id: transactionId, unsignedTx, leaseToken, metadata } = transaction
  const { blockchain, walletId, walletAddress } = metadata
  const ids = idsOf(transaction)
  const hold = (away: string, facts: object, level: 'info' | 'warn' = 'warn'): Ending => {
    holds.failed(String(transactionId), { ...ids, ...facts }, { away, level })
    return undefined
  }
  const refuse = (reason: string) => fail(parts, transaction, reason, stopping)

  const node = nodes.get(blockchain)
  if (node === undefined) return refuse(`UNKNOWN_CHAIN: this agent has no endpoint for ${blockchain}`)
  const earlier = journal.signedFor(transactionId)
  const found = earlier.find((entry) => entry.unsigned === unsignedTx && entry.signer === walletAddress)
  const same = found !== undefined && (await node.serves(found.genesis)) ? found : undefined
  const sendAgain = (entry: SignedTransaction): Ending => {
    const again = { ...entry, leaseToken: leaseToken ?? null }
    journal.recordSigned(again)
    emit('resent')
    return () => deliver(parts, node, again, stopping)
  }
  // Refused bytes are not counted for good, so the limits decide again.
  if (same !== undefined && journal.outcomeOf(same) !== 'refused') return sendAgain(same)
  if (!(await signer.holds(walletAddress))) {
    if (parts.unknownWallet === 'fail') return refuse(`UNKNOWN_WALLET: this agent holds no key of ${walletAddress}`)
    emit('left')
    return hold('left for an agent that holds the key', { walletAddress }, 'info')
  }
  if (await isReused(parts, transaction, earlier)) {
    return refuse(`ID_REUSED: transaction ${transactionId} was signed before for another wallet or operation`)
  }
  if (!journal.pinWallet(walletId, walletAddress)) {
    return refuse(`WRONG_SIGNER: wallet ${walletId} had a different address before`)
  }
  const counts = await node.transactionCounts(walletAddress)
  const verdict = await verifyTransaction(parts, node, transaction)
  if (!verdict.ok) return refuse(`${verdict.code}: ${verdict.reason}`)
  emit('verified')
  const others = earlier.filter((entry) => entry !== same)
  const obstacle = await findConflictingBytes(journal, node, others, verdict)
  if (obstacle !== undefined) {
    emit('held')
    return hold('not signed again: earlier signed bytes may still land', { hash: obstacle.hash })
  }
  const gap = findNonceGap(journal, counts, verdict)
  if (gap !== undefined) {
    const { away, nonce, next } = gap
    const isGivenUp = parts.gaps.waits(transactionId)
    // Only of bytes that were never signed can the agent say that they go nowhere.
    if (isGivenUp && earlier.length === 0)
      return refuse(`NONCE_GAP: nonce ${next} of the wallet is still unused, before ${nonce}`)
    emit('held')
    return hold(away, { nonce, next })
  }
  parts.gaps.ended(transactionId)
  const approval = await checkApproved(parts, transaction, verdict)
  if ('refused' in approval) return refuse(approval.refused)
  emit('approved')
  const reservation = reservationOf(transaction, verdict)
  const over = reserveWithinLimits(parts, reservation)
  if (over !== undefined) {
    emit('limit-reached')
    return refuse(over)
  }
  emit('reserved')
  if (same !== undefined) return sendAgain({ ...same, reservation: reservation.key })
  emit('signing')
  const lost = AbortSignal.any([lease.lost, stopping])
  const { approvedBy, binding } = approval
  const entry = await signUnlessRefused(parts, node, { transaction, verified: verdict, approvedBy, lost }, reservation)
  if ('refused' in entry) return refuse(entry.refused)
  if (lease.lost.aborted) return hold('the lease was lost during signing: not sent', {})
  emit('signed')
  if (!isDecisionCurrent(journal, entry, { earlier, binding })) {
    emit('held')
    return hold('the journal changed during signing: not sent', {})
  }
  // From here on the bytes may be in flight, whatever happens to this process.
  journal.recordSigned(entry)
  emit('journaled')
  return () => deliver(parts, node, entry, stopping)
}

/** The signed transaction, or why the signer refused; then the journal counts it no longer. */
async function signUnlessRefused(
  parts: Parts,
  node: Node,
  request: Omit<SigningRequest, 'reservation'>,
  reservation: Reservation,
): Promise<SignedTransaction | { readonly refused: string }> {
  try {
    return await signTransaction(parts, node, { ...request, reservation: reservation.key })
  } catch (error) {
    if (!(error instanceof SignerRefused)) throw error
    parts.journal.release(reservation)
    return { refused: `SIGNER_REFUSED: ${error.message}` }
  }
}

/**
 * Whether the journal has bytes of an earlier transaction with this id: a service that lost writes may issue it again.
 * Those of a development chain that was reset do not count.
 */
async function isReused(
  { nodes }: Parts,
  { operationId, metadata }: AgentTransaction,
  earlier: readonly SignedTransaction[],
): Promise<boolean> {
  for (const entry of earlier) {
    const isSame =
      entry.operationId === operationId &&
      entry.blockchain === metadata.blockchain &&
      entry.signer === metadata.walletAddress
    if (!isSame && (await nodes.get(entry.blockchain)?.serves(entry.genesis))) return true
  }
  return false
}

/** What an operator searches the logs of agent and service for. */
const idsOf = ({ id, operationId, metadata }: AgentTransaction) => ({
  operationId,
  transactionId: id,
  blockchain: metadata.blockchain,
})

/** Nothing was sent, and nothing will be. Returns how to report it. */
function fail(parts: Parts, transaction: AgentTransaction, reason: string, stopping: AbortSignal): Ending {
  const { journal, holds, log, emit } = parts
  const { id: transactionId } = transaction
  emit('refused')
  journal.recordRefused(transactionId, reason)
  holds.recovered(String(transactionId), idsOf(transaction))
  log.warn({ ...idsOf(transaction), reason }, 'not signed')
  return () => reportFailed(parts, transaction, reason, stopping)
}

async function reportFailed(
  { service, clock, log, emit }: Parts,
  transaction: AgentTransaction,
  reason: string,
  stopping: AbortSignal,
): Promise<void> {
  const { id: transactionId, leaseToken } = transaction
  const report = { status: 'FAILED', error: reason } as const
  const refusal = await retryUntilAnswered(() => service.reportTransaction(transactionId, report, leaseToken), {
    clock,
    signal: stopping,
  })
  if (refusal === undefined) emit('failed')
  else if (refusal !== 'stopped')
    log.info({ ...idsOf(transaction), code: refusal.code }, 'the service keeps the transaction for another agent')
}
