import { sql } from 'kysely'
import type { Chain } from '../../chains/index.ts'
import { type Database, inTransaction } from '../../database/index.ts'
import { addMilliseconds, BROADCAST_REQUEST_TIMEOUT_MS } from '../../kernel/index.ts'
import { failTransaction } from '../lifecycle/fail-transaction.ts'
import { lockOperation } from '../lifecycle/lock-operation.ts'
import { recordLastSeen, type TransactionFailure } from '../lifecycle/move-transactions.ts'
import { DEFAULT_TIMEOUTS, type Parts } from '../lifecycle/parts.ts'
import { broadcastStoredBytes } from '../transactions/broadcast-stored-bytes.ts'
import { filterPastBlocks, settlePastBlock } from './settle-past-block.ts'

/** So many pending transactions are asked after in one batched call; the longest unseen first. */
const PENDING_BATCH = 500

interface StoredHash {
  tx_hash: string
  raw: string | null
  sent: boolean
}

interface PendingRow {
  organization_id: number
  operation_id: number
  transaction_id: number
  tx_hash: string | null
  submitted_at: Date
  last_seen_at: Date | null
  last_valid_block_height: number | null
  hashes: StoredHash[]
}

/**
 * Looks after submitted transactions that no block has: sends stored bytes again whose send was never acknowledged or
 * was undone by a reorganization, notes who is still known, and fails what is lost (contract 8): DROPPED when no node
 * knows it for two minutes, TIMEOUT after thirty. Their bytes stay watched (rule 2). What a node shows in a block
 * that was passed without it is settled now. One batched HTTP call, and one for each send.
 *
 * `answeredSince`: since when every look was answered. A node that was away proves nothing about what it would have
 * known meanwhile, so that the two minutes begin no sooner; left out when nobody was away.
 */
export async function checkPendingTransactions(parts: Parts, chain: Chain, answeredSince?: Date): Promise<void> {
  const rows = await pendingWithoutBlock(
    parts.db,
    chain.network.blockchain,
    addMilliseconds(parts.clock.now(), -BROADCAST_REQUEST_TIMEOUT_MS),
  )
  if (rows.length === 0) return
  const hashes = rows.flatMap((row) => row.hashes.map(({ tx_hash }) => tx_hash))
  const sightings = await chain.findTransactions(hashes)
  const known = new Set(hashes.filter((_, index) => sightings[index] !== undefined))
  const seen = rows.filter((row) => row.hashes.some(({ tx_hash }) => known.has(tx_hash)))
  await recordLastSeen(
    parts.db,
    seen.map((row) => ({ organizationId: row.organization_id, transactionId: row.transaction_id })),
    parts.clock.now(),
  )
  for (const sighting of await filterPastBlocks(parts.db, chain, sightings)) {
    await settlePastBlock(parts, chain, sighting)
  }
  for (const row of rows) {
    const unsent = newestUnsent(row, known)
    if (unsent) await resend(parts, chain, row, unsent)
    else await rebroadcast(chain, row, known)
    const now = parts.clock.now()
    const lastSeenAt = seen.includes(row) ? now : row.last_seen_at
    const { submitted_at: submittedAt, last_valid_block_height: lastValidBlockHeight } = row
    if (lossFailure(parts, { lastSeenAt, submittedAt, lastValidBlockHeight }, now, answeredSince)) {
      await failIfLost(parts, row, answeredSince)
    }
  }
}

async function pendingWithoutBlock(db: Database, blockchain: string, before: Date): Promise<PendingRow[]> {
  const { rows } = await sql<PendingRow>`
    select t.organization_id, t.operation_id, t.id as transaction_id, t.tx_hash, t.submitted_at, t.last_seen_at,
      t.last_valid_block_height,
      (select coalesce(jsonb_agg(jsonb_build_object('tx_hash', h.tx_hash, 'raw', h.raw,
          'sent', h.broadcast_at is not null) order by h.created_at), '[]')
        from transaction_hashes h where h.organization_id = t.organization_id and h.transaction_id = t.id) as hashes
    from transactions t
    where t.blockchain = ${blockchain} and t.state = 'pending' and t.block_number is null and t.submitted_at <= ${before}
      -- What became of a wallet's that is set aside is told when it has caught up.
      and not exists (select 1 from quarantined_wallets s join operations o
        on o.organization_id = s.organization_id and o.wallet_id = s.wallet_id
        where o.organization_id = t.organization_id and o.id = t.operation_id)
    order by coalesce(t.last_seen_at, t.submitted_at)
    limit ${PENDING_BATCH}
  `.execute(db)
  return rows
}

/** Of several versions only the one that was submitted last is worth sending: it pays the most. */
function newestUnsent({ hashes, tx_hash }: PendingRow, known: ReadonlySet<string>): StoredHash | undefined {
  const stored = hashes.filter(({ raw }) => raw !== null)
  const newest = stored.find((hash) => hash.tx_hash === tx_hash) ?? stored.at(-1)
  return newest?.sent || (newest && known.has(newest.tx_hash)) ? undefined : newest
}

/** Bytes that we hold and whose send nobody acknowledged go out again, the very same (rule 5). */
async function resend(parts: Parts, chain: Chain, row: PendingRow, { tx_hash, raw }: StoredHash): Promise<void> {
  const submitted = { operationId: row.operation_id, transactionId: row.transaction_id, txHash: tx_hash }
  try {
    await broadcastStoredBytes(parts, chain, row.organization_id, submitted, raw!)
  } catch (error) {
    parts.log.warn({ err: error, ...submitted }, 'a stored transaction was refused when it was sent again')
  }
}

/**
 * A node on Solana forgets what it could not pass on at once, so that the same bytes are sent again until they are in a
 * block or dead. What it says does not matter: {@link buryExpired} finds out.
 */
async function rebroadcast(chain: Chain, { hashes, tx_hash }: PendingRow, known: ReadonlySet<string>): Promise<void> {
  const sent = hashes.find((hash) => hash.tx_hash === tx_hash)
  if (chain.network.family === 'svm' && sent?.raw && !known.has(sent.tx_hash)) await chain.broadcast(sent.raw)
}

/** Judged by what is stored now, under the lock: it may have been sent, seen, included or taken back meanwhile. */
async function failIfLost(parts: Parts, row: PendingRow, answeredSince: Date | undefined): Promise<void> {
  await inTransaction(parts.db, async (tx) => {
    const scope = { organizationId: row.organization_id, walletProfileId: null }
    const operation = await lockOperation(tx, scope, row.operation_id)
    const transaction = operation.transactions.find(({ transactionId }) => transactionId === row.transaction_id)
    if (transaction?.state !== 'submitted' && transaction?.state !== 'displaced') return
    const failure = lossFailure(parts, transaction, parts.clock.now(), answeredSince)
    if (failure) await failTransaction(tx, operation, transaction, { event: 'failed', failure }, parts.clock.now())
  })
}

function lossFailure(
  { timeouts = DEFAULT_TIMEOUTS }: Parts,
  {
    lastSeenAt,
    submittedAt,
    lastValidBlockHeight,
  }: { lastSeenAt: Date | null; submittedAt: Date; lastValidBlockHeight: number | null },
  now: Date,
  answeredSince: Date | undefined,
): TransactionFailure | undefined {
  const knownAt = lastSeenAt ?? submittedAt
  const missingSince = answeredSince && answeredSince > knownAt ? answeredSince : knownAt
  if (addMilliseconds(missingSince, timeouts.droppedAfterMs) <= now) {
    const seconds = timeouts.droppedAfterMs / 1_000
    return { code: 'DROPPED', error: `No node has known the transaction for ${seconds} seconds.` }
  }
  // On Solana time proves nothing, and bytes die by themselves.
  if (lastValidBlockHeight === null && addMilliseconds(submittedAt, timeouts.inclusionTimeoutMs) <= now) {
    return { code: 'TIMEOUT', error: 'The transaction was not included in a block in time.' }
  }
  return undefined
}
