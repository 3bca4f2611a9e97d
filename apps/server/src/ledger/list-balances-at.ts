import { sql } from 'kysely'
import type { Database } from '../database/index.ts'
import type { Clock } from '../kernel/index.ts'
import type { Balance } from './accounts.ts'
import { awaitPostings } from './await-postings.ts'

/** One wallet's balance of one token at a moment. */
export interface BalanceAt extends Balance {
  readonly walletId: number
  readonly walletAddress: string
  readonly walletLabel: string | null
  readonly blockchain: string
}

/** The sums of one token on one chain over all wallets. */
export interface TokenBalanceAt extends Balance {
  readonly blockchain: string
  readonly wallets: number
}

export interface BalancesAt {
  /** A page, in the order of wallets, newest first. */
  readonly items: readonly BalanceAt[]
  /** Over all wallets, including those of other pages. */
  readonly tokens: readonly TokenBalanceAt[]
  readonly total: number
}

interface BalancesAtQuery {
  /** Entries posted before it count, by the clock of the service. */
  readonly at: Date
  readonly limit: number
  readonly offset: number
}

/**
 * What the ledger showed at a moment: the balances of now without what was posted since. The ledger is append-only, so
 * the result never changes once the moment has passed. One statement; it reads the entries since the moment, not all.
 * Error: NOT_READY ({@link awaitPostings}).
 */
export async function listBalancesAt(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  organizationId: number,
  { at, limit, offset }: BalancesAtQuery,
): Promise<BalancesAt> {
  await awaitPostings({ db, clock }, at)
  const { rows } = await sql<BalanceAt & { readonly wallets: number; readonly isToken: boolean }>`
    with since as (
      select p.wallet_id, p.token_address,
        coalesce(sum(p.amount) filter (where p.account = 'available'), 0) as available,
        coalesce(sum(p.amount) filter (where p.account = 'reserved'), 0) as reserved,
        coalesce(sum(p.amount) filter (where p.account = 'deployed'), 0) as deployed,
        coalesce(sum(p.amount) filter (where p.account = 'exiting'), 0) as exiting,
        coalesce(sum(p.amount) filter (where p.account = 'yield'), 0) as yield,
        coalesce(sum(p.amount) filter (where p.account = 'external'), 0) as external
      from ledger_entries e join ledger_postings p on p.organization_id = e.organization_id and p.entry_id = e.id
      where e.organization_id = ${organizationId} and e.created_at >= ${at}
      group by p.wallet_id, p.token_address
    ), held as (
      select b.wallet_id, b.token_address, b.available - coalesce(s.available, 0) as available,
        b.reserved - coalesce(s.reserved, 0) as reserved, b.deployed - coalesce(s.deployed, 0) as deployed,
        b.exiting - coalesce(s.exiting, 0) as exiting, b.yield - coalesce(s.yield, 0) as yield,
        b.external - coalesce(s.external, 0) as external
      from ledger_balances b
      left join since s on s.wallet_id = b.wallet_id and s.token_address = b.token_address
      where b.organization_id = ${organizationId}
    ), shown as (
      select w.id, w.address, w.label, w.blockchain, h.* from held h
      join wallets w on w.organization_id = ${organizationId} and w.id = h.wallet_id
      where (h.available, h.reserved, h.deployed, h.exiting, h.yield, h.external) <> (0, 0, 0, 0, 0, 0)
    ), page as (
      select * from shown order by id desc, token_address limit ${limit} offset ${offset}
    )
    select true as "isToken", count(*)::int as wallets, 0 as "walletId", '' as "walletAddress", null as "walletLabel",
      blockchain, token_address as "tokenAddress", sum(available) as available, sum(reserved) as reserved,
      sum(deployed) as deployed, sum(exiting) as exiting, sum(yield) as yield, sum(external) as external
    from shown group by blockchain, token_address
    union all
    select false, 1, id, address, label, blockchain, token_address, available, reserved, deployed, exiting, yield,
      external
    from page
    order by "isToken", "walletId" desc, blockchain, "tokenAddress"
  `.execute(db)
  const tokens = rows.filter(({ isToken }) => isToken)
  const items = rows.filter(({ isToken }) => !isToken)
  return { items, tokens, total: tokens.reduce((sum, { wallets }) => sum + wallets, 0) }
}
