import { sql } from 'kysely'
import type { Database } from '../../database/index.ts'
import type { Clock } from '../../kernel/index.ts'
import { awaitPostings } from '../../ledger/index.ts'

/** What an entry `e` names of the position that it moved: its operation, the strategy, or the allocation. */
const NAMED = `case
    when e.kind in ('supply', 'unwind') then e.operation_id
    when e.kind = 'exit' then split_part(e.source, ':', 4)::bigint
    when e.kind = 'chain_reset' then nullif(split_part(e.source, ':', 5), '')::bigint
    when e.kind = 'yield' then split_part(e.source, ':', 2)::bigint
    when e.kind in ('loss', 'fee', 'external_position') then split_part(e.source, ':', 3)::bigint
  end`

/** What the entries of a table moved of each position. They are summed by what they name before that is looked up. */
export const movedPositions = (entries: string): string => `select m.organization_id, m.wallet_id, case
      when m.kind in ('supply', 'unwind') then (select o.strategy_id from operations o
        where o.organization_id = m.organization_id and o.id = m.named)
      when m.kind in ('exit', 'chain_reset') then m.named
      else (select a.strategy_id from allocations a where a.organization_id = m.organization_id and a.id = m.named)
    end as strategy_id, sum(m.deployed) as deployed, sum(m.yield) as yield
  from (select e.organization_id, p.wallet_id, e.kind, ${NAMED} as named,
      coalesce(sum(p.amount) filter (where p.account = 'deployed'), 0) as deployed,
      coalesce(sum(p.amount) filter (where p.account = 'yield'), 0) as yield
    from ${entries} e join ledger_postings p on p.organization_id = e.organization_id and p.entry_id = e.id
    where p.account in ('deployed', 'yield') group by 1, 2, 3, 4) m
  group by 1, 2, 3`

/** What each position is worth and has earned now; earlier positions of the wallet in the strategy count. */
export const POSTED_POSITIONS = `select organization_id, wallet_id, strategy_id,
    coalesce(sum(posted_value) filter (where status <> 'CLOSED'), 0) as value,
    sum(realized_yield + posted_value - principal) as earned
  from allocations`

/** The position of one wallet in one strategy at a moment. Base units. */
export interface PositionAt {
  readonly walletId: number
  readonly walletAddress: string
  readonly walletLabel: string | null
  readonly strategyId: number
  readonly strategyName: string
  readonly venueName: string
  readonly blockchain: string
  readonly token: string
  readonly tokenDecimals: number
  /** As it was posted: with the yield of the last posting before the moment. */
  readonly value: bigint
  /** Since the wallet's first deposit into the strategy. */
  readonly yieldEarned: bigint
}

/** The sums of one token on one chain over all positions. */
export type TokenPositionsAt = Pick<PositionAt, 'blockchain' | 'token' | 'tokenDecimals' | 'value' | 'yieldEarned'> & {
  readonly positions: number
}

export interface PositionsAt {
  /** A page, in the order of wallets, newest first. */
  readonly items: readonly PositionAt[]
  /** Of all positions, including those of other pages. */
  readonly tokens: readonly TokenPositionsAt[]
  readonly total: number
}

interface PositionsAtQuery {
  /** Entries posted before it count, by the clock of the service. */
  readonly at: Date
  readonly limit: number
  readonly offset: number
}

/**
 * What the ledger showed of each position at a moment: what is posted now without what was posted since. The values add
 * up to the deployed balances of the same moment. One statement; it reads the entries since the moment, not all. Error:
 * NOT_READY ({@link awaitPostings}).
 */
export async function listPositionsAt(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  organizationId: number,
  { at, limit, offset }: PositionsAtQuery,
): Promise<PositionsAt> {
  await awaitPostings({ db, clock }, at)
  const { rows } = await sql<PositionAt & { readonly positions: number; readonly isToken: boolean }>`
    with later as (
      select * from ledger_entries where organization_id = ${organizationId} and created_at >= ${at}
    ), since as (
      ${sql.raw(movedPositions('later'))}
    ), held as (
      select n.wallet_id, n.strategy_id, n.value - coalesce(s.deployed, 0) as value,
        n.earned + coalesce(s.yield, 0) as earned
      from (${sql.raw(POSTED_POSITIONS)} where organization_id = ${organizationId} group by 1, 2, 3) n
      left join since s
        on s.organization_id = n.organization_id and s.wallet_id = n.wallet_id and s.strategy_id = n.strategy_id
    ), shown as (
      select h.*, w.address, w.label, t.name, v.name as venue, t.blockchain, t.token, t.token_decimals from held h
      join wallets w on w.organization_id = ${organizationId} and w.id = h.wallet_id
      join strategies t on t.id = h.strategy_id join venues v on v.id = t.venue_id
      where h.value > 0
    ), page as (
      select * from shown order by wallet_id desc, strategy_id limit ${limit} offset ${offset}
    )
    select true as "isToken", count(*)::int as positions, 0 as "walletId", '' as "walletAddress",
      null as "walletLabel", 0 as "strategyId", '' as "strategyName", '' as "venueName", blockchain, token,
      token_decimals as "tokenDecimals", sum(value) as value, sum(earned) as "yieldEarned"
    from shown group by blockchain, token, token_decimals
    union all
    select false, 1, wallet_id, address, label, strategy_id, name, venue, blockchain, token, token_decimals, value,
      earned
    from page
    order by "isToken", "walletId" desc, "strategyId", blockchain, token
  `.execute(db)
  const tokens = rows.filter(({ isToken }) => isToken)
  const items = rows.filter(({ isToken }) => !isToken)
  return { items, tokens, total: tokens.reduce((sum, { positions }) => sum + positions, 0) }
}
