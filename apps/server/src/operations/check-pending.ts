import { sql } from 'kysely'
import type { Chain } from '../chains/index.ts'
import { type Database, inTransaction } from '../database/index.ts'
import { DROPPED_AFTER_MS, EVM_INCLUSION_TIMEOUT_MS, later } from '../kernel/index.ts'
import { broadcastStored } from './broadcast-stored.ts'
import { failTransaction } from './fail-transaction.ts'
import type { Parts } from './parts.ts'
import { readLocked } from './read-locked.ts'

/** So many pending transactions are asked after in one batched call; the longest unseen first. */
const BATCH = 500
/** A send that was not acknowledged is looked after when the request that made it has surely ended. */
const RESEND_AFTER_MS = 5_000

interface PendingRow {
  organization_id: number
  operation_id: number
  transaction_id: number
  submitted_at: Date
  seen_at: Date | null
  hashes: { tx_hash: string; raw: string | null; sent: boolean }[]
}

/**
 * Looks after submitted transactions that no block has: sends stored bytes again whose send was never acknowledged or
 * was undone by a reorganization, notes who is still known, and fails what is lost (decisions 8): DROPPED when no node
 * knows it for two minutes, TIMEOUT after thirty. Their bytes stay watched (money-rules 2). One batched HTTP call.
 */
export async function checkPending(parts: Parts, chain: Chain): Promise<void> {
  const rows = await pendingWithoutBlock(parts.db, chain.network.blockchain, later(parts.clock.now(), -RESEND_AFTER_MS))
  if (rows.length === 0) return
  const hashes = rows.flatMap((row) => row.hashes.map(({ tx_hash }) => tx_hash))
  const sightings = await chain.lookUp(hashes)
  const known = new Set(hashes.filter((_, index) => sightings[index] !== undefined))
  for (const row of rows) {
    const isKnown = row.hashes.some(({ tx_hash }) => known.has(tx_hash))
    if (isKnown) await noteSeen(parts, row)
    else if (await resend(parts, chain, row)) continue
    else await failIfLost(parts, row)
    if (isKnown) await failIfTimedOut(parts, row)
  }
}

async function pendingWithoutBlock(db: Database, blockchain: string, before: Date): Promise<PendingRow[]> {
  const { rows } = await sql<PendingRow>`
    select t.organization_id, t.operation_id, t.id as transaction_id, t.submitted_at, t.seen_at,
      (select jsonb_agg(jsonb_build_object('tx_hash', h.tx_hash, 'raw', h.raw, 'sent', h.broadcast_at is not null)
          order by h.created_at)
        from transaction_hashes h where h.organization_id = t.organization_id and h.transaction_id = t.id) as hashes
    from transactions t
    where t.blockchain = ${blockchain} and t.state = 'pending' and t.block_number is null and t.submitted_at <= ${before}
    order by coalesce(t.seen_at, t.submitted_at)
    limit ${BATCH}
  `.execute(db)
  return rows
}

async function noteSeen(parts: Parts, row: PendingRow): Promise<void> {
  await parts.db
    .updateTable('transactions')
    .set({ seen_at: parts.clock.now() })
    .where('organization_id', '=', row.organization_id)
    .where('id', '=', row.transaction_id)
    .execute()
}

/** Bytes that we hold and whose send nobody acknowledged go out again, the very same (money-rules 5). */
async function resend(parts: Parts, chain: Chain, row: PendingRow): Promise<boolean> {
  const waiting = row.hashes.find(({ raw, sent }) => raw !== null && !sent)
  if (waiting?.raw == null) return false
  const submitted = { operationId: row.operation_id, transactionId: row.transaction_id, txHash: waiting.tx_hash }
  try {
    await broadcastStored(parts, chain, row.organization_id, submitted, waiting.raw)
  } catch (error) {
    parts.log.warn({ err: error, ...submitted }, 'a stored transaction was refused when it was sent again')
  }
  return true
}

async function failIfLost(parts: Parts, row: PendingRow): Promise<void> {
  const lastSeen = row.seen_at ?? row.submitted_at
  if (later(lastSeen, DROPPED_AFTER_MS) > parts.clock.now()) return
  await fail(parts, row, 'DROPPED', 'No node has known the transaction for two minutes.')
}

async function failIfTimedOut(parts: Parts, row: PendingRow): Promise<void> {
  if (later(row.submitted_at, EVM_INCLUSION_TIMEOUT_MS) > parts.clock.now()) return
  await fail(parts, row, 'TIMEOUT', 'The transaction was not included in a block in time.')
}

async function fail(parts: Parts, row: PendingRow, failureCode: string, error: string): Promise<void> {
  await inTransaction(parts.db, async (tx) => {
    const sight = { organizationId: row.organization_id, walletProfileId: null }
    const operation = await readLocked(tx, sight, row.operation_id)
    const transaction = operation.transactions.find(({ transactionId }) => transactionId === row.transaction_id)
    if (transaction?.state !== 'pending' || transaction.blockNumber !== null) return
    await failTransaction(tx, operation, transaction, { failure_code: failureCode, error }, parts.clock.now())
  })
}
