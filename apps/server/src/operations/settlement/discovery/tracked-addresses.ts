import { sql } from 'kysely'
import type { Chain } from '../../../chains/index.ts'
import type { Database } from '../../../database/index.ts'
import { strategiesOnChain, venueFor } from '../../../venues/index.ts'

/** The addresses that a follower by wallets reads. */
export interface TrackedAddresses {
  readonly wallets: readonly string[]
  /** The wallets with issued bytes that may still land. */
  readonly senders: readonly string[]
}

export async function readTrackedAddresses(db: Database, blockchain: string): Promise<TrackedAddresses> {
  const { rows } = await sql<{ address: string; is_sender: boolean }>`
    select w.address, bool_or(t.sender is not null) as is_sender
    from wallets w
    left join (
      select distinct organization_id, sender from transactions where blockchain = ${blockchain} and can_still_land
    ) t on t.organization_id = w.organization_id and t.sender = w.address
    where w.blockchain = ${blockchain}
    group by w.address
  `.execute(db)
  return {
    wallets: rows.map(({ address }) => address),
    senders: rows.filter(({ is_sender }) => is_sender).map(({ address }) => address),
  }
}

/** Every token in which a wallet's money can be on that chain. */
export async function trackedTokens(db: Database, { network }: Pick<Chain, 'network'>): Promise<string[]> {
  const strategies = await strategiesOnChain(db, network.blockchain)
  const shares = strategies.map((strategy) => venueFor(strategy.protocol).shareToken(strategy))
  return [...new Set([...network.tokens.map(({ address }) => address), ...shares])]
}
