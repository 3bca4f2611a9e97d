import { type Kysely, sql } from 'kysely'

/**
 * Agents get a transaction that no block includes again, with higher fees. The first index finds such transactions, the
 * second one the hashes of a transaction, which the follower reads for each candidate of a block.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- When a replacement of its submitted transaction was issued; null: none, or an agent has reported it.
    alter table agent_work add column replacement_issued_at timestamptz;
    create index agent_work_sent on agent_work (available_at) where stage = 'sent';
    create index transaction_hashes_of_transaction on transaction_hashes (organization_id, transaction_id);
  `.execute(db)
}
