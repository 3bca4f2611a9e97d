import { sql } from 'kysely'
import type { Tx } from '../../database/index.ts'
import { AGENT_HASHES_STORED_MAX } from '../../kernel/index.ts'

/**
 * Makes room for one more hash that an agent reports of a transaction. Every hash of a pending transaction is asked of
 * nodes in each round, so an agent must not decide how many there are. The one that counts, and those with stored
 * bytes, stay. A forgotten version still settles: blocks are matched by content.
 */
export async function forgetOldestHashes(tx: Tx, organizationId: number, transactionId: number): Promise<void> {
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
