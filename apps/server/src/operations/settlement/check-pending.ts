import { sql } from 'kysely'
import { type Chain, callFromJson, matchesPlan, type ObservedTransaction } from '../../chains/index.ts'
import { type Database, inTransaction, runItems, unbatched } from '../../database/index.ts'
import {
  addMilliseconds,
  BROADCAST_REQUEST_TIMEOUT_MS,
  LOST_BATCH,
  outageLogsBy,
  PENDING_BATCH,
} from '../../kernel/index.ts'
import { recordLastSeen } from '../lifecycle/advance-transactions.ts'
import { isReplacementIssued } from '../lifecycle/agent-work.ts'
import { failTransaction } from '../lifecycle/fail-transaction.ts'
import { lockOperation } from '../lifecycle/lock-operation.ts'
import type { Parts } from '../lifecycle/parts.ts'
import { readAgentWork } from '../lifecycle/read-agent-work.ts'
import { broadcastStoredBytes } from '../transactions/broadcast-stored-bytes.ts'
import { droppedOrTimedOut } from './dropped-or-timed-out.ts'
import { filterPastBlocks, settlePastBlock } from './settle-past-block.ts'

interface StoredHash {
  tx_hash: string
  raw: string | null
  sent: boolean
}

/** What nodes know, by hash. */
type Known = ReadonlyMap<string, ObservedTransaction>

interface PendingRow {
  organization_id: number
  operation_id: number
  transaction_id: number
  sender: string
  nonce: number | null
  call: Readonly<Record<string, unknown>>
  tx_hash: string | null
  submitted_at: Date
  last_seen_at: Date | null
  last_valid_block_height: number | null
  /** An agent may have sent a replacement under a hash that nobody has reported. */
  is_being_replaced: boolean
  hashes: StoredHash[]
}

/**
 * Checks submitted transactions that are in no block. Sends stored bytes again if no node acknowledged them or a
 * reorganization undid their inclusion, records which transactions nodes still know, and fails lost ones (contract 8):
 * DROPPED if no node knows it for two minutes, TIMEOUT after thirty. Their bytes stay tracked (rule 2). A transaction
 * in a past block that was settled without it is settled now. One batched HTTP call, and one for each send.
 *
 * `availableSince`: when the nodes last became available again. An outage proves nothing about what nodes knew during
 * it, so the two minutes start no earlier. Omitted if there was no outage. One call fails a limited number, and none once
 * `signal` is aborted; the next call fails the others.
 */
export async function checkPendingTransactions(
  parts: Parts,
  chain: Chain,
  availableSince?: Date,
  signal?: AbortSignal,
): Promise<void> {
  const rows = await pendingWithoutBlock(
    parts.db,
    chain.network.blockchain,
    addMilliseconds(parts.clock.now(), -BROADCAST_REQUEST_TIMEOUT_MS),
  )
  if (rows.length === 0) return
  const hashes = rows.flatMap((row) => row.hashes.map(({ tx_hash }) => tx_hash))
  const lookups = await chain.findTransactions(hashes)
  const known = new Map(hashes.flatMap((hash, index) => (lookups[index] ? [[hash, lookups[index]]] : [])))
  const seenRows = rows.filter((row) => isSeen(row, known))
  await recordLastSeen(
    parts.db,
    seenRows.map((row) => ({ organizationId: row.organization_id, transactionId: row.transaction_id })),
    parts.clock.now(),
  )
  await runItems(parts, await filterPastBlocks(parts.db, chain, lookups), {
    job: `settle past blocks of ${chain.network.blockchain}`,
    keyOf: ({ hash }) => hash,
    work: (lookup) => settlePastBlock(parts, chain, lookup),
  })
  const seen = new Set(seenRows)
  let lost = 0
  await runItems(parts, rows, {
    job: 'check pending transactions',
    keyOf: (row) => String(row.transaction_id),
    work: async (row) => {
      const unsent = newestUnsent(row, known)
      if (unsent) await resend(parts, chain, row, unsent)
      else await rebroadcast(chain, row, known)
      const now = parts.clock.now()
      const lastSeenAt = seen.has(row) ? now : row.last_seen_at
      const { submitted_at: submittedAt, last_valid_block_height: lastValidBlockHeight } = row
      const pending = { lastSeenAt, submittedAt, lastValidBlockHeight, isBeingReplaced: row.is_being_replaced }
      if (!droppedOrTimedOut(parts, pending, now, availableSince)) return
      lost += 1
      if (lost <= LOST_BATCH && !signal?.aborted) await failIfLost(parts, row, availableSince)
    },
  })
}

/**
 * Whether a node knows the planned transaction. A reported hash may be that of another one, even by another sender: that
 * says nothing about the planned bytes, and must not hold their nonce, which other organizations share (rule 3).
 */
function isSeen({ sender, nonce, call, hashes }: PendingRow, known: Known): boolean {
  const planned = { sender, nonce, call: callFromJson(call) }
  return hashes.some(({ tx_hash }) => {
    const lookup = known.get(tx_hash)
    return lookup !== undefined && matchesPlan(planned, lookup)
  })
}

async function pendingWithoutBlock(db: Database, blockchain: string, before: Date): Promise<PendingRow[]> {
  const { rows } = await sql<PendingRow>`
    select t.organization_id, t.operation_id, t.id as transaction_id, t.sender, t.nonce, t.call, t.tx_hash, t.submitted_at,
      t.last_seen_at, t.last_valid_block_height,
      exists (select from agent_work w where w.organization_id = t.organization_id and w.transaction_id = t.id
        and w.replacement_issued_at is not null) as is_being_replaced,
      (select coalesce(jsonb_agg(jsonb_build_object('tx_hash', h.tx_hash, 'raw', h.raw,
          'sent', h.broadcast_at is not null) order by h.created_at), '[]')
        from transaction_hashes h where h.organization_id = t.organization_id and h.transaction_id = t.id) as hashes
    from transactions t
    where t.blockchain = ${blockchain} and t.state = 'pending' and t.block_number is null and t.submitted_at <= ${before}
      -- A quarantined wallet's transactions are settled once it has caught up.
      and not exists (select 1 from quarantined_wallets s join operations o
        on o.organization_id = s.organization_id and o.wallet_id = s.wallet_id
        where o.organization_id = t.organization_id and o.id = t.operation_id)
    order by coalesce(t.last_seen_at, t.submitted_at)
    limit ${PENDING_BATCH}
  `.execute(db)
  return rows
}

/** Only the latest of several versions is worth sending, because it pays the most. */
function newestUnsent({ hashes, tx_hash }: PendingRow, known: Known): StoredHash | undefined {
  const stored = hashes.filter(({ raw }) => raw !== null)
  const newest = stored.find((hash) => hash.tx_hash === tx_hash) ?? stored.at(-1)
  return newest?.sent || (newest && known.has(newest.tx_hash)) ? undefined : newest
}

const resendsOf = outageLogsBy({
  away: 'failed to resend a stored transaction',
  back: 'resent a stored transaction after failures',
})

/** Sends the same stored bytes again, because no node acknowledged them (rule 5). */
async function resend(parts: Parts, chain: Chain, row: PendingRow, { tx_hash, raw }: StoredHash): Promise<void> {
  const { blockchain } = chain.network
  const submitted = { operationId: row.operation_id, transactionId: row.transaction_id, txHash: tx_hash }
  const resends = resendsOf(parts.log, parts.log)
  const part = { organizationId: row.organization_id, blockchain, ...submitted }
  try {
    await broadcastStoredBytes(parts, chain, {
      organizationId: row.organization_id,
      submitted,
      raw: raw!,
      lastValidBlockHeight: row.last_valid_block_height,
      isResent: true,
    })
    resends.recovered(part)
  } catch (error) {
    resends.failed(part, { err: error })
  }
}

/**
 * Where nodes forget transactions that they could not forward at once, as on Solana, the same bytes are sent again until
 * they are in a block or dead. The result of a send does not matter: `expireBlockhashes` finds dead bytes.
 */
async function rebroadcast(chain: Chain, { hashes, tx_hash }: PendingRow, known: Known): Promise<void> {
  const sent = hashes.find((hash) => hash.tx_hash === tx_hash)
  if (!chain.keepsPending && sent?.raw && !known.has(sent.tx_hash)) await chain.broadcast(sent.raw)
}

/** Checks again under the lock: it may have been sent, seen, included or undone meanwhile. */
async function failIfLost(parts: Parts, row: PendingRow, availableSince: Date | undefined): Promise<void> {
  await inTransaction(parts.db, async (tx) => {
    const scope = { organizationId: row.organization_id, walletProfileId: null }
    const operation = await lockOperation(tx, scope, row.operation_id)
    const transaction = operation.transactions.find(({ transactionId }) => transactionId === row.transaction_id)
    if (transaction?.state !== 'submitted' && transaction?.state !== 'displaced') return
    const isBeingReplaced =
      operation.executor === 'agent' &&
      isReplacementIssued(await readAgentWork(tx, operation.organizationId, transaction.transactionId))
    const failure = droppedOrTimedOut(parts, { ...transaction, isBeingReplaced }, parts.clock.now(), availableSince)
    if (failure)
      await failTransaction(unbatched(tx), {
        operation,
        transaction,
        change: { event: 'failed', failure },
        at: parts.clock.now(),
      })
  })
}
