import { sql } from 'kysely'
import type { ObservedTransaction } from '../../../chains/index.ts'
import type { Database } from '../../../database/index.ts'
import { PENDING_BATCH } from '../../../kernel/index.ts'
import { ofQuarantinedWallet } from '../shared/of-quarantined-wallet.ts'

/** A hash of a transaction, with the signed bytes if Weir has them. */
export interface StoredHash {
  readonly tx_hash: string
  readonly raw: string | null
  /** A node acknowledged the bytes. */
  readonly sent: boolean
}

/** What nodes know, by hash. */
export type Known = ReadonlyMap<string, ObservedTransaction>

/** A submitted transaction that is in no block. */
export interface PendingRow {
  readonly organization_id: number
  readonly operation_id: number
  readonly transaction_id: number
  readonly sender: string
  readonly nonce: number | null
  readonly call: Readonly<Record<string, unknown>>
  readonly tx_hash: string | null
  readonly submitted_at: Date
  readonly last_seen_at: Date | null
  readonly last_valid_block_height: number | null
  /** An agent may have sent a replacement under a hash that nobody has reported. */
  readonly is_being_replaced: boolean
  readonly hashes: readonly StoredHash[]
}

/**
 * Transactions submitted before a time, those unseen for longest first. Organizations take turns, so that nobody's lost
 * transactions keep those of another out of the page.
 */
export async function pendingWithoutBlock(db: Database, blockchain: string, before: Date): Promise<PendingRow[]> {
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
      and not ${ofQuarantinedWallet}
    order by row_number() over (partition by t.organization_id order by coalesce(t.last_seen_at, t.submitted_at), t.id),
      coalesce(t.last_seen_at, t.submitted_at), t.id
    limit ${PENDING_BATCH}
  `.execute(db)
  return rows
}
