import { sql } from 'kysely'
import { type Database, LIFT_STATEMENT_TIMEOUT } from '../database/index.ts'

/** A rule of the books that rows violate. */
export interface LedgerViolation {
  readonly what: string
  /** How many rows violate it. */
  readonly count: number
}

/**
 * Rules that a ledger always obeys, whatever happened: each statement finds violations. The last four compare accounts
 * with what they stand for, so that a copy that lost rows of another table is noticed. The table itself refuses a balance
 * below zero, and a total that is not what came in from outside and was earned.
 */
export const LEDGER_INVARIANTS: readonly { readonly what: string; readonly finds: string }[] = [
  {
    what: 'an entry that does not sum to zero for each wallet and token',
    finds: `select organization_id, entry_id, wallet_id, token_address, sum(amount) from ledger_postings
      group by 1, 2, 3, 4 having sum(amount) <> 0`,
  },
  {
    what: 'balances that are not the sums of their postings',
    finds: `select b.*, p.* from ledger_balances b left join lateral (
        select coalesce(sum(amount) filter (where account = 'available'), 0) as available,
          coalesce(sum(amount) filter (where account = 'reserved'), 0) as reserved,
          coalesce(sum(amount) filter (where account = 'deployed'), 0) as deployed,
          coalesce(sum(amount) filter (where account = 'exiting'), 0) as exiting,
          coalesce(sum(amount) filter (where account = 'yield'), 0) as yield,
          coalesce(sum(amount) filter (where account = 'external'), 0) as external
        from ledger_postings p where p.organization_id = b.organization_id and p.wallet_id = b.wallet_id
          and p.token_address = b.token_address) p on true
      where (b.available, b.reserved, b.deployed, b.exiting, b.yield, b.external)
        is distinct from (p.available, p.reserved, p.deployed, p.exiting, p.yield, p.external)`,
  },
  {
    what: 'a deployed account that is not the value of the open positions',
    finds: `select b.organization_id, b.wallet_id, b.token_address, b.deployed, a.value
      from ledger_balances b left join lateral (
        select coalesce(sum(a.posted_value), 0) as value from allocations a join strategies s on s.id = a.strategy_id
        where a.organization_id = b.organization_id and a.wallet_id = b.wallet_id and a.status <> 'CLOSED'
          and s.token_address = b.token_address) a on true
      where b.deployed <> a.value`,
  },
  {
    what: 'an exiting account that is not the value of the open exits',
    finds: `select b.organization_id, b.wallet_id, b.token_address, b.exiting, x.value
      from ledger_balances b left join lateral (
        select coalesce(sum(x.pending + x.claimable), 0) as value from exits x join strategies s on s.id = x.strategy_id
        where x.organization_id = b.organization_id and x.wallet_id = b.wallet_id and s.token_address = b.token_address) x
        on true
      where b.exiting <> x.value`,
  },
  {
    what: 'a yield account that is not what the positions earned, open and closed',
    finds: `select b.organization_id, b.wallet_id, b.token_address, b.yield, a.earned
      from ledger_balances b left join lateral (
        select coalesce(sum(a.realized_yield + a.posted_value - a.principal), 0) as earned
        from allocations a join strategies s on s.id = a.strategy_id
        where a.organization_id = b.organization_id and a.wallet_id = b.wallet_id
          and s.token_address = b.token_address) a on true
      where b.yield <> -a.earned`,
  },
  {
    what: 'a reserved account that is not what the held reservations cover',
    finds: `select b.organization_id, b.wallet_id, b.token_address, b.reserved, r.covered
      from ledger_balances b left join lateral (
        select coalesce(sum(r.covered), 0) as covered from reservations r where r.organization_id = b.organization_id
          and r.wallet_id = b.wallet_id and r.token_address = b.token_address and r.released_at is null) r on true
      where b.reserved <> r.covered`,
  },
]

/**
 * Reads the whole ledger and returns the rules that it violates. Run it on a copy or in a quiet hour: it takes long on
 * a large ledger.
 */
export async function verifyLedger(db: Database): Promise<LedgerViolation[]> {
  return await db.transaction().execute(async (tx) => {
    await sql.raw(LIFT_STATEMENT_TIMEOUT).execute(tx)
    const violations: LedgerViolation[] = []
    for (const { what, finds } of LEDGER_INVARIANTS) {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from (${sql.raw(finds)}) as found
      `.execute(tx)
      const count = rows[0]!.count
      if (count > 0) violations.push({ what, count })
    }
    return violations
  })
}
