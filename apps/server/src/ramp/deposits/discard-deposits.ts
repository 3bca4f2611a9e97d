import { sql } from 'kysely'
import { type Database, inTransaction } from '../../database/index.ts'

/**
 * Deletes what is known of deposits on an embedded chain that started without its history: a transaction of the new
 * chain can have the hash of one of the earlier chain, and would count as known. `simulated` are the hashes of simulated
 * deposits, even of those that never arrived. The payments that deposits started stay, and return nothing: the tokens at
 * their addresses on the next chain belong to others. Never called for a public chain.
 */
export async function discardDeposits(
  { db }: { readonly db: Database },
  blockchain: string,
  simulated: readonly string[],
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await tx.deleteFrom('ramp_deferred_blocks').where('blockchain', '=', blockchain).execute()
    await tx.deleteFrom('ramp_deposits').where('blockchain', '=', blockchain).execute()
    const isSimulated = sql<boolean>`tx_hash = any(${simulated}::text[])`
    await tx.deleteFrom('ramp_sandbox_deposits').where(isSimulated).execute()
    await tx
      .updateTable('ramp_sandbox_transfers')
      .set({ snapshot: sql<string>`snapshot || '{"tokensTo": null}'::jsonb`, sent_hash: null })
      .where('direction', '=', 'offramp')
      .where('due_at', 'is not', null)
      .where(sql<string>`snapshot ->> 'blockchain'`, '=', blockchain)
      .execute()
  })
}
