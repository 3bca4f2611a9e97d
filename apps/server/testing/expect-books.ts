import { sql } from 'kysely'
import { expect } from 'vitest'
import { isUnfinished } from '../src/operations/index.ts'
import { strategiesOnChain, venueFor } from '../src/venues/index.ts'
import type { MainJob } from './main-job.ts'

/**
 * What holds of the books after every step, whatever happened (money-rules 8, decisions 8): double entry, balances that
 * are the sums of postings, positions and reservations that the accounts hold, nothing held for a finished operation.
 */
export async function expectBooks({ db }: Pick<MainJob, 'db'>): Promise<void> {
  const wrong = async (what: string, query: ReturnType<typeof sql>) => {
    const { rows } = await query.execute(db)
    expect(rows, what).toEqual([])
  }
  await wrong(
    'an entry that does not sum to zero for each wallet and token',
    sql`select organization_id, entry_id, wallet_id, token_address, sum(amount) from ledger_postings
      group by 1, 2, 3, 4 having sum(amount) <> 0`,
  )
  await wrong(
    'balances that are not the sums of their postings',
    sql`select b.*, p.* from ledger_balances b left join lateral (
        select coalesce(sum(amount) filter (where account = 'available'), 0) as available,
          coalesce(sum(amount) filter (where account = 'reserved'), 0) as reserved,
          coalesce(sum(amount) filter (where account = 'deployed'), 0) as deployed,
          coalesce(sum(amount) filter (where account = 'yield'), 0) as yield,
          coalesce(sum(amount) filter (where account = 'external'), 0) as external
        from ledger_postings p where p.organization_id = b.organization_id and p.wallet_id = b.wallet_id
          and p.token_address = b.token_address) p on true
      where (b.available, b.reserved, b.deployed, b.yield, b.external)
        is distinct from (p.available, p.reserved, p.deployed, p.yield, p.external)`,
  )
  await wrong(
    'a balance below zero, or a total that is not what came in from outside and was earned',
    sql`select * from ledger_balances where available < 0 or reserved < 0 or deployed < 0
      or available + reserved + deployed <> -(yield + external)`,
  )
  await wrong(
    'a deployed account that is not the value of the open positions',
    sql`select b.organization_id, b.wallet_id, b.token_address, b.deployed, a.value
      from ledger_balances b left join lateral (
        select coalesce(sum(a.posted_value), 0) as value from allocations a join strategies s on s.id = a.strategy_id
        where a.organization_id = b.organization_id and a.wallet_id = b.wallet_id and a.status <> 'CLOSED'
          and s.token_address = b.token_address) a on true
      where b.deployed <> a.value`,
  )
  await wrong(
    'a reserved account that is not what the held reservations cover',
    sql`select b.organization_id, b.wallet_id, b.token_address, b.reserved, r.covered
      from ledger_balances b left join lateral (
        select coalesce(sum(r.covered), 0) as covered from reservations r where r.organization_id = b.organization_id
          and r.wallet_id = b.wallet_id and r.token_address = b.token_address and r.released_at is null) r on true
      where b.reserved <> r.covered`,
  )
  await wrong(
    'a reservation held for a finished operation, or none for an unfinished supply',
    sql`select o.id, o.state, r.released_at from operations o
      left join reservations r on r.organization_id = o.organization_id and r.operation_id = o.id
      where o.type = 'SUPPLY'
        and (o.state in ('PLANNING', 'PENDING_APPROVAL', 'EXECUTING', 'CONFIRMING')) <>
          (r.operation_id is not null and r.released_at is null)`,
  )
  await wrong(
    'a reservation whose cover was not let go exactly once',
    sql`select r.operation_id, r.covered, e.held, e.freed from reservations r left join lateral (
        select coalesce(sum(p.amount) filter (where e.kind in ('reserve', 'cover')), 0) as held,
          coalesce(sum(p.amount) filter (where e.kind not in ('reserve', 'cover')), 0) as freed
        from ledger_entries e join ledger_postings p on p.organization_id = e.organization_id and p.entry_id = e.id
        where e.organization_id = r.organization_id and e.operation_id = r.operation_id and p.account = 'reserved') e on true
      where e.held <> r.covered or e.freed <> case when r.released_at is null then 0 else -r.covered end`,
  )
  await wrong(
    'an allocation that is unwinding without an unwind, or an unwind whose allocation is not',
    sql`select a.id, a.status from allocations a where a.status <> 'CLOSED' and (a.status = 'UNWINDING') <> exists (
        select 1 from operations o where o.organization_id = a.organization_id and o.wallet_id = a.wallet_id
          and o.strategy_id = a.strategy_id and o.type = 'UNWIND'
          and o.state in ('PLANNING', 'PENDING_APPROVAL', 'EXECUTING', 'CONFIRMING'))`,
  )
  await wrong(
    'a finished operation with a transaction that still waits or is on its way',
    sql`select o.id, o.state, t.id, t.state from operations o
      join transactions t on t.organization_id = o.organization_id and t.operation_id = o.id
      where o.state in ('COMPLETED', 'FAILED', 'REJECTED', 'ABORTED') and t.state in ('unsigned', 'pending')`,
  )
  await wrong(
    'an operation that ended without telling, or that told without ending',
    sql`select o.id, o.state, e.ends from operations o left join lateral (
        select count(*) as ends from outbox e where e.organization_id = o.organization_id and e.object_type = 'operation'
          and e.object_id = o.id and e.event in ('operation.completed', 'operation.failed', 'operation.rejected')) e on true
      where case when o.state = 'COMPLETED' then ends not between 1 and 2
        when o.state in ('FAILED', 'REJECTED', 'ABORTED') then ends <> 1 else ends <> 0 end`,
  )
}

/**
 * The books and the chain at the last settled block: tokens, shares and values are equal to the unit, or an open break
 * tells the difference. Call it after a round that reached the head. Without `only`, of every wallet.
 */
export async function expectChain(
  { db, chain }: Pick<MainJob, 'db' | 'chain'>,
  only?: readonly number[],
): Promise<void> {
  const { blockchain, tokens } = chain.network
  const [{ final_number: at }, wallets, onBooks, breaks, allocations, strategies] = await Promise.all([
    db
      .selectFrom('chain_cursors')
      .select('final_number')
      .where('blockchain', '=', blockchain)
      .executeTakeFirstOrThrow(),
    db.selectFrom('wallets').select(['id', 'address']).where('blockchain', '=', blockchain).execute(),
    db.selectFrom('ledger_balances').selectAll().execute(),
    db.selectFrom('ledger_breaks').selectAll().where('closed_at', 'is', null).execute(),
    db.selectFrom('allocations').selectAll().where('status', '<>', 'CLOSED').execute(),
    strategiesOnChain(db, blockchain),
  ])
  const compared = wallets.filter(({ id }) => only === undefined || only.includes(id))
  const pairs = compared.flatMap((wallet) => tokens.map((token) => ({ wallet, token })))
  const positions = compared.flatMap((wallet) => strategies.map((strategy) => ({ wallet, strategy })))
  // All in one tick, so that it is one request.
  const [balances, shares] = await Promise.all([
    chain.balances(
      pairs.map(({ wallet, token }) => ({ owner: wallet.address, token: token.address })),
      at,
    ),
    Promise.all(
      positions.map(async ({ wallet, strategy }) => {
        const [held] = await venueFor(strategy.protocol).shares(chain, [{ strategy, owner: wallet.address }], at)
        return held!
      }),
    ),
  ])
  for (const [index, { wallet, token }] of pairs.entries()) {
    const own = (row: { wallet_id: number; token_address: string }) =>
      row.wallet_id === wallet.id && row.token_address === token.address
    const books = onBooks.find(own)!
    const missing = breaks.filter(own).reduce((sum, { amount }) => sum + amount, 0n)
    const what = `${token.symbol} of wallet ${wallet.id} at block ${at}`
    expect(books.available + books.reserved - missing, what).toBe(balances[index])
    // A break is for what available could not give up; so while one is open, nothing is available.
    if (missing !== 0n) expect(books.available, `available beside a break: ${what}`).toBe(0n)
  }
  for (const [index, { wallet, strategy }] of positions.entries()) {
    const position = allocations.find((row) => row.wallet_id === wallet.id && row.strategy_id === strategy.id)
    expect(position?.shares ?? 0n, `shares of ${strategy.key} of wallet ${wallet.id}`).toBe(shares[index])
  }
}

/** The ids of operations that are not finished, oldest first. */
export async function unfinished({ db }: Pick<MainJob, 'db'>, walletId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('operations')
    .select(['id', 'state'])
    .where('wallet_id', '=', walletId)
    .orderBy('id')
    .execute()
  return rows.filter(({ state }) => isUnfinished(state)).map(({ id }) => id)
}
