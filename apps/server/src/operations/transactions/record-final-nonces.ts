import { sql } from 'kysely'
import type { IncludedTransaction } from '../../chains/index.ts'
import type { Database } from '../../database/index.ts'

/** How many transactions of a sender are final: its nonces below are used for good. */
interface FinalNonceCount {
  readonly sender: string
  readonly count: number
}

/**
 * Keeps what is known of used nonces, so that no plan takes one of them because a node lags (rule 3). Facts of
 * the chain, true whatever becomes of what is settled beside them; a count never goes down. EVM chains only.
 */
export async function recordFinalNonces(
  db: Database,
  blockchain: string,
  counts: readonly FinalNonceCount[],
): Promise<void> {
  if (counts.length === 0) return
  // In one order, so that two that write at once do not wait for each other.
  await sql`
    insert into chain_nonces (blockchain, address, latest_count, final_count)
    select ${blockchain}, sender, 0, max(count)
    from jsonb_to_recordset(${JSON.stringify(counts)}::jsonb) as counted(sender text, count bigint)
    group by sender order by sender
    on conflict (blockchain, address)
      do update set final_count = greatest(chain_nonces.final_count, excluded.final_count)
  `.execute(db)
}

/** What transactions in a final block say of their senders' nonces. */
export function finalNonceCounts(included: readonly IncludedTransaction[]): FinalNonceCount[] {
  return included.flatMap((each) => (each.family === 'evm' ? [{ sender: each.sender, count: each.nonce + 1 }] : []))
}
