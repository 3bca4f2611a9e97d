import { sql } from 'kysely'
import type { Database, LedgerAccount } from '../database/index.ts'
import type { EntryKind } from './entry.ts'

/** What an entry moved on one account of the wallet, in base units. */
interface ListedPosting {
  readonly tokenAddress: string
  readonly account: LedgerAccount
  readonly amount: bigint
}

/** An entry of one wallet. */
export interface ListedEntry {
  readonly id: number
  readonly kind: EntryKind
  readonly operationId: number | null
  /** The final block that was settled; `null` if no block caused the entry. */
  readonly blockNumber: number | null
  /** Of a supply or an unwind: the last transaction of the operation that was included. */
  readonly txHash: string | null
  readonly bookedAt: Date
  /** By token, then by account; the amounts of each token sum to zero. */
  readonly postings: readonly ListedPosting[]
}

interface EntryQuery {
  readonly organizationId: number
  readonly walletId: number
  readonly limit: number
  readonly offset: number
  /** Only entries with a lower id. */
  readonly before?: number | undefined
  readonly kind?: EntryKind | undefined
  /** Only entries that moved one of these tokens. */
  readonly tokenAddresses?: readonly string[] | undefined
  /** By the clock of the service. */
  readonly from?: Date | undefined
  readonly until?: Date | undefined
}

/** The ledger entries of one wallet, newest first. `total` counts every match, whatever the page. Three statements. */
export async function listEntries(
  { db }: { readonly db: Database },
  { organizationId, walletId, limit, offset, before, kind, tokenAddresses, from, until }: EntryQuery,
): Promise<{ readonly entries: readonly ListedEntry[]; readonly total: number }> {
  const matching = sql`
    from ledger_entries e
    where e.organization_id = ${organizationId} and e.id in (
      select entry_id from ledger_postings where organization_id = ${organizationId} and wallet_id = ${walletId}
        ${tokenAddresses === undefined ? sql`` : sql`and token_address = any(${tokenAddresses}::text[])`})
    ${kind === undefined ? sql`` : sql`and e.kind = ${kind}`}
    ${from === undefined ? sql`` : sql`and e.created_at >= ${from}`}
    ${until === undefined ? sql`` : sql`and e.created_at < ${until}`}`
  const [counted, page] = await Promise.all([
    sql<{ total: number }>`select count(*)::int as total ${matching}`.execute(db),
    sql<Omit<ListedEntry, 'postings'>>`
      select e.id, e.kind, e.operation_id as "operationId", e.block_number as "blockNumber", e.created_at as "bookedAt",
        (select t.tx_hash from transactions t
          where t.organization_id = e.organization_id and t.operation_id = e.operation_id
            and e.kind in ('supply', 'unwind') and t.block_number is not null
          order by t.position desc limit 1) as "txHash"
      ${matching} ${before === undefined ? sql`` : sql`and e.id < ${before}`}
      order by e.id desc limit ${limit} offset ${offset}
    `.execute(db),
  ])
  const ids = page.rows.map(({ id }) => id)
  const { rows: lines } = await sql<ListedPosting & { readonly entryId: number }>`
    select entry_id as "entryId", token_address as "tokenAddress", account, amount from ledger_postings
    where organization_id = ${organizationId} and wallet_id = ${walletId} and entry_id = any(${ids}::bigint[])
    order by token_address, array_position(
      array['available', 'reserved', 'deployed', 'exiting', 'yield', 'external'], account)
  `.execute(db)
  const byEntry = Map.groupBy(lines, ({ entryId }) => entryId)
  return {
    entries: page.rows.map((entry) => ({
      ...entry,
      postings: (byEntry.get(entry.id) ?? []).map(({ entryId: _, ...posting }) => posting),
    })),
    total: counted.rows[0]?.total ?? 0,
  }
}
