import { sql } from 'kysely'
import type { BroadcastResult, Chain } from '../../../chains/index.ts'
import type { Database } from '../../../database/index.ts'
import { outageLogsBy, SENDS_AT_ONCE } from '../../../kernel/index.ts'
import type { Parts } from '../../lifecycle/parts.ts'
import { recordBroadcastResult } from '../../transactions/broadcast-stored-bytes.ts'
import type { Known, PendingRow, StoredHash } from './pending-rows.ts'

/** What a follower keeps between checks. */
export interface SendingProgress {
  /** The transaction after which the next check begins to send; `undefined` to begin with the first. */
  after: number | undefined
  /** Sendings that a check did not wait for. */
  underway: Promise<void> | undefined
}

export const newSendingProgress = (): SendingProgress => ({ after: undefined, underway: undefined })

interface SendingRound {
  readonly rows: readonly PendingRow[]
  readonly known: Known
  readonly progress: SendingProgress
}

/** One sending of stored bytes. */
interface Sending {
  readonly row: PendingRow
  readonly hash: StoredHash
  /** No node has acknowledged these bytes yet: the result is recorded. */
  readonly isUnacknowledged: boolean
}

/**
 * Sends stored bytes again: those that no node acknowledged or that a reorganization removed from a block (rule 5), and,
 * where nodes forget what they could not forward at once, as on Solana, all that are in no block. A few are under way at
 * once. A sending without a result may have taken until its time-out, so it is the last of this check; the next check
 * begins with the transaction after it. Sends nothing more once `signal` is aborted.
 */
export async function sendPending(
  parts: Parts,
  chain: Chain,
  { rows, known, progress }: SendingRound,
  signal?: AbortSignal,
): Promise<void> {
  const sendings = startingAfter(
    rows.flatMap((row) => sendingOf(chain, row, known) ?? []),
    progress.after,
  )
  progress.after = undefined
  for (let at = 0; at < sendings.length && !signal?.aborted; at += SENDS_AT_ONCE) {
    const hand = await stillPending(parts.db, sendings.slice(at, at + SENDS_AT_ONCE))
    const without = await sendTogether(parts, chain, hand)
    if (without === undefined) continue
    progress.after = without.row.transaction_id
    return
  }
}

/** Without those that ended or landed since they were read: earlier sends may have taken minutes. */
async function stillPending(db: Database, sendings: readonly Sending[]): Promise<readonly Sending[]> {
  const { rows } = await sql<{ id: number }>`
    select t.id from unnest(${sendings.map(({ row }) => row.organization_id)}::bigint[],
      ${sendings.map(({ row }) => row.transaction_id)}::bigint[]) as asked(organization_id, id)
    join transactions t on t.organization_id = asked.organization_id and t.id = asked.id
    where t.state = 'pending' and t.block_number is null
  `.execute(db)
  const pending = new Set(rows.map(({ id }) => id))
  return sendings.filter(({ row }) => pending.has(row.transaction_id))
}

/** Sends at once and records each result as it comes, one after the other. Returns the last one without a result. */
async function sendTogether(parts: Parts, chain: Chain, hand: readonly Sending[]): Promise<Sending | undefined> {
  let without: Sending | undefined
  let recorded: Promise<void> = Promise.resolve()
  await Promise.all(
    hand.map(async (sending) => {
      const attempt = await send(chain, sending)
      if (attempt.result?.outcome === 'unknown') without = sending
      recorded = recorded.then(() => recordResult(parts, chain, sending, attempt))
    }),
  )
  await recorded
  return without
}

function startingAfter(sendings: readonly Sending[], after: number | undefined): readonly Sending[] {
  const last = sendings.findIndex(({ row }) => row.transaction_id === after)
  return [...sendings.slice(last + 1), ...sendings.slice(0, last + 1)]
}

function sendingOf(chain: Chain, row: PendingRow, known: Known): Sending | undefined {
  const unsent = newestUnsent(row, known)
  if (unsent) return { row, hash: unsent, isUnacknowledged: true }
  const sent = row.hashes.find((hash) => hash.tx_hash === row.tx_hash)
  if (chain.keepsPending || !sent?.raw || known.has(sent.tx_hash)) return undefined
  // Nothing follows from the result: `expireBlockhashes` finds dead bytes.
  return { row, hash: sent, isUnacknowledged: false }
}

/** Only the latest of several versions is worth sending, because it pays the most. */
function newestUnsent({ hashes, tx_hash }: PendingRow, known: Known): StoredHash | undefined {
  const stored = hashes.filter(({ raw }) => raw !== null)
  const newest = stored.find((hash) => hash.tx_hash === tx_hash) ?? stored.at(-1)
  return newest?.sent || (newest && known.has(newest.tx_hash)) ? undefined : newest
}

/** The error belongs to this sending alone: it keeps no other from being sent. */
interface BroadcastAttempt {
  readonly result?: BroadcastResult
  readonly error?: unknown
}

async function send(chain: Chain, { row, hash, isUnacknowledged }: Sending): Promise<BroadcastAttempt> {
  const lastValidBlockHeight = isUnacknowledged ? row.last_valid_block_height : undefined
  try {
    return { result: await chain.broadcast(hash.raw!, lastValidBlockHeight) }
  } catch (error) {
    return { error }
  }
}

const resendsOf = outageLogsBy({
  away: 'failed to resend a stored transaction',
  back: 'resent a stored transaction after failures',
})

async function recordResult(
  parts: Parts,
  chain: Chain,
  { row, hash, isUnacknowledged }: Sending,
  { result, error }: BroadcastAttempt,
): Promise<void> {
  const { organization_id: organizationId } = row
  const submitted = { operationId: row.operation_id, transactionId: row.transaction_id, txHash: hash.tx_hash }
  const resends = resendsOf(parts.log, parts.log)
  const part = { organizationId, blockchain: chain.network.blockchain, ...submitted }
  try {
    if (result === undefined) throw error
    if (isUnacknowledged)
      await recordBroadcastResult(parts, chain, { organizationId, submitted, result, isResent: true })
    resends.recovered(part)
  } catch (failure) {
    resends.failed(part, { err: failure })
  }
}
