import { sql } from 'kysely'
import type { IncludedTransaction } from '../../chains/index.ts'
import type { Database } from '../../database/index.ts'

/** How many transactions of a sender are final: every lower nonce is used. */
interface FinalNonceCount {
  readonly sender: string
  readonly count: number
}

/**
 * Records used nonces, so that a lagging node cannot make a plan reuse one (rule 3). The counts are facts of the chain
 * and commit independently of settlement; they never go down. EVM chains only.
 */
export async function recordFinalNonces(
  db: Database,
  blockchain: string,
  counts: readonly FinalNonceCount[],
): Promise<void> {
  if (counts.length === 0) return
  // A fixed order prevents deadlocks between concurrent writers.
  await sql`
    insert into chain_nonces (blockchain, address, latest_count, final_count)
    select ${blockchain}, sender, 0, max(count)
    from jsonb_to_recordset(${JSON.stringify(counts)}::jsonb) as counted(sender text, count bigint)
    group by sender order by sender
    on conflict (blockchain, address)
      do update set final_count = greatest(chain_nonces.final_count, excluded.final_count)
  `.execute(db)
}

/** The nonce counts that follow from the transactions of a final block. */
export function finalNonceCounts(included: readonly IncludedTransaction[]): FinalNonceCount[] {
  return included.flatMap((each) => (each.nonce === null ? [] : [{ sender: each.sender, count: each.nonce + 1 }]))
}
