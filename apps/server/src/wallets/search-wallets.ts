import { type Selectable, sql } from 'kysely'
import { beginningWith, type Database, type Schema } from '../database/index.ts'
import { type Wallet, walletFrom } from './wallet.ts'

/**
 * The organization's wallets whose label or address begins with a text, in any case; at most `limit`, those with a
 * matching label first. Reads no more than that from each of two indexes.
 */
export async function searchWallets(
  db: Database,
  organizationId: number,
  text: string,
  limit: number,
): Promise<Wallet[]> {
  const pattern = beginningWith(text)
  // The order of the indexes, which are made for patterns.
  const { rows } = await sql<Selectable<Schema['wallets']>>`
    select * from wallets w join (
      (select id as found, 1 as place from wallets
        where organization_id = ${organizationId} and label is not null and lower(label) like ${pattern}
        order by lower(label) using ~<~ limit ${limit})
      union all
      (select id, 2 from wallets
        where organization_id = ${organizationId} and lower(address) like ${pattern}
        order by lower(address) using ~<~ limit ${limit})
    ) found on found.found = w.id
    where w.organization_id = ${organizationId} order by found.place, lower(w.label), w.id desc
  `.execute(db)
  const wallets = new Map(rows.map((row) => [row.id, walletFrom(row)]))
  return [...wallets.values()].slice(0, limit)
}
