import { sql } from 'kysely'
import type { Database } from '../../database/index.ts'
import type { Parts } from '../lifecycle/parts.ts'
import { rollbackBlocksAbove } from './record-inclusions.ts'

/** For whoever follows a chain by its wallets: the addresses to ask after. */
export interface TrackedAddresses {
  readonly wallets: readonly string[]
  /** Those of them that bytes of ours may land for: handed out, and not known to be dead. */
  readonly senders: readonly string[]
}

export async function readTrackedAddresses(db: Database, blockchain: string): Promise<TrackedAddresses> {
  const { rows } = await sql<{ address: string; is_sender: boolean }>`
    select distinct w.address, t.sender is not null as is_sender
    from wallets w
    left join (select distinct sender from transactions where blockchain = ${blockchain} and can_still_land) t
      on t.sender = w.address
    where w.blockchain = ${blockchain}
  `.execute(db)
  return {
    wallets: rows.map(({ address }) => address),
    senders: rows.filter(({ is_sender }) => is_sender).map(({ address }) => address),
  }
}

/**
 * Undoes inclusions in blocks that are final now and did not hold the transaction, as when a fork was dropped. Answers
 * whether there was one.
 */
export async function rollbackPassedInclusions(parts: Parts, blockchain: string, final: number): Promise<boolean> {
  const { first } = await parts.db
    .selectFrom('transactions')
    .select(({ fn }) => fn.min('block_number').as('first'))
    .where('blockchain', '=', blockchain)
    .where('can_still_land', '=', true)
    .where('finalized_at', 'is', null)
    .where('block_number', '<=', final)
    .executeTakeFirstOrThrow()
  if (first === null) return false
  await rollbackBlocksAbove(parts, blockchain, Number(first) - 1)
  return true
}
