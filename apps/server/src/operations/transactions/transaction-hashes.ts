import { sql } from 'kysely'
import { batchedEffect, type Database, type Tx } from '../../database/index.ts'
import { AGENT_HASHES_STORED_MAX } from '../../kernel/index.ts'
import { TERMINAL, UNFINISHED } from '../lifecycle/states/operation-states.ts'

/** A hash linked to a transaction, with the signed bytes if Weir has them. Unique in an organization. */
export interface LinkedHash {
  readonly txHash: string
  readonly transactionId: number
  readonly raw: string | null
  readonly storedAt: Date
  /** When a node acknowledged the bytes; `null` if none did, or if a reorganization removed them since. */
  readonly broadcastAt: Date | null
}

/** Finds the transaction that a hash is linked to in this organization. */
export async function findLinkedHash(
  db: Database | Tx,
  organizationId: number,
  blockchain: string,
  txHash: string,
): Promise<LinkedHash | undefined> {
  const row = await db
    .selectFrom('transaction_hashes')
    .select(['tx_hash', 'transaction_id', 'raw', 'created_at', 'broadcast_at'])
    .where('organization_id', '=', organizationId)
    .where('blockchain', '=', blockchain)
    .where('tx_hash', '=', txHash)
    .executeTakeFirst()
  if (!row) return undefined
  const { tx_hash, transaction_id, raw, created_at, broadcast_at } = row
  return { txHash: tx_hash, transactionId: transaction_id, raw, storedAt: created_at, broadcastAt: broadcast_at }
}

export interface NewHash {
  readonly organizationId: number
  readonly blockchain: string
  readonly transactionId: number
  readonly txHash: string
  readonly source: 'signed' | 'hash' | 'recover' | 'watcher' | 'agent'
  readonly raw?: string
  readonly at: Date
}

/**
 * Links a hash to a transaction. Two plans can have identical bytes: an unfinished operation takes the hash over from
 * one that ended without it (contract 6). Returns `false` if an earlier call or the follower has already linked it.
 */
export async function linkHash(tx: Tx, hash: NewHash): Promise<boolean> {
  return (await linkHashes(tx, [hash])) === 1
}

/** The same for hashes of different transactions, in one statement. Returns how many were linked now. */
async function linkHashes(tx: Tx, hashes: readonly NewHash[]): Promise<number> {
  const linked = await tx
    .insertInto('transaction_hashes')
    .values(
      hashes.map((hash) => ({
        organization_id: hash.organizationId,
        blockchain: hash.blockchain,
        tx_hash: hash.txHash,
        transaction_id: hash.transactionId,
        source: hash.source,
        raw: hash.raw ?? null,
        created_at: hash.at,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'blockchain', 'tx_hash'])
        .doUpdateSet({
          transaction_id: sql`excluded.transaction_id`,
          source: sql`excluded.source`,
          raw: sql`coalesce(excluded.raw, transaction_hashes.raw)`,
          created_at: sql`excluded.created_at`,
          broadcast_at: null,
        })
        .where(sql<boolean>`exists (select 1 from transactions t
          join operations o on o.organization_id = t.organization_id and o.id = t.operation_id
          where t.organization_id = transaction_hashes.organization_id and t.id = transaction_hashes.transaction_id
            and t.state = 'failed' and o.state = any(${TERMINAL}::text[]))`)
        .where(sql<boolean>`exists (select 1 from transactions t
          join operations o on o.organization_id = t.organization_id and o.id = t.operation_id
          where t.organization_id = excluded.organization_id and t.id = excluded.transaction_id
            and o.state = any(${UNFINISHED}::text[]))`),
    )
    .returning('tx_hash')
    .execute()
  return linked.length
}

/** {@link linkHashes}, for one of several works. */
export const LINK_HASH = batchedEffect<NewHash>(linkHashes)

/**
 * Makes room for one more hash that an agent reports of a transaction. Every hash of a pending transaction is asked of
 * nodes in each round, so an agent must not decide how many there are. The one that counts, and those with stored
 * bytes, stay. A forgotten version still settles: blocks are matched by content.
 */
export async function deleteOldestHashes(tx: Tx, organizationId: number, transactionId: number): Promise<void> {
  await sql`
    delete from transaction_hashes h using (
      select r.organization_id, r.blockchain, r.tx_hash from transaction_hashes r
      join transactions t on t.organization_id = r.organization_id and t.id = r.transaction_id
      where r.organization_id = ${organizationId} and r.transaction_id = ${transactionId}
        and r.source = 'agent' and r.raw is null and r.tx_hash is distinct from t.tx_hash
      order by r.created_at desc, r.tx_hash offset ${AGENT_HASHES_STORED_MAX - 1}
    ) old
    where h.organization_id = old.organization_id and h.blockchain = old.blockchain and h.tx_hash = old.tx_hash
  `.execute(tx)
}
