import { type RawBuilder, sql } from 'kysely'
import type { Database, Tx } from '../src/database/index.ts'
import { PRICE_SCALE } from '../src/venues/erc4626/price.ts'
import type { BenchDatabase } from './bench-environment.ts'
import { TOKEN, VAULT, WALLET_BALANCE } from './memory-chain.ts'

/** Writes many rows in seconds. Foreign keys and triggers are off meanwhile, so counters are computed afterwards. */
export async function inBulk({ parts }: BenchDatabase, fill: (tx: Tx) => Promise<unknown>): Promise<void> {
  await parts.db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica; set local statement_timeout = 0`.execute(tx)
    await fill(tx)
    await sql`delete from counters`.execute(tx)
    await sql`
      insert into counters (organization_id, wallet_profile_id, entity, kind, state, amount)
      select o.organization_id, w.wallet_profile_id, 'operations', o.type, o.state, count(*)
      from operations o join wallets w on w.organization_id = o.organization_id and w.id = o.wallet_id group by 1, 2, 4, 5
      union all
      select organization_id, wallet_profile_id, 'wallets', blockchain, '', count(*) from wallets group by 1, 2, 4
      union all
      select a.organization_id, w.wallet_profile_id, 'allocations', s.token, a.status, count(*)
      from allocations a join wallets w on w.organization_id = a.organization_id and w.id = a.wallet_id
        join strategies s on s.id = a.strategy_id group by 1, 2, 4, 5
    `.execute(tx)
  })
  await parts.db.connection().execute(async (connection) => {
    await sql`set statement_timeout = 0`.execute(connection)
    for (const statement of await vacuums(connection)) await statement.execute(connection)
    await sql`reset statement_timeout`.execute(connection)
  })
}

/**
 * Leaves tables in use as autovacuum does: without it, index-only scans are impossible. It never vacuums empty tables,
 * and neither does this: PostgreSQL believes that they stay empty, and prepared statements then read all of them.
 */
async function vacuums(db: Database): Promise<RawBuilder<unknown>[]> {
  const { rows } = await sql<{ name: string; is_partitioned: boolean }>`
    select relname as name, relkind = 'p' as is_partitioned from pg_class
    where relnamespace = current_schema()::regnamespace and (relkind = 'p' or relkind = 'r' and pg_relation_size(oid) > 0)
  `.execute(db)
  return rows.map(({ name, is_partitioned }) =>
    is_partitioned ? sql`analyze only ${sql.table(name)}` : sql`vacuum analyze ${sql.table(name)}`,
  )
}

/**
 * Wallets of the organization's default profile, each with {@link WALLET_BALANCE}. Addresses count upwards in decimal
 * digits, which have no case.
 */
export async function seedWallets(
  database: BenchDatabase,
  organizationId: number,
  count: number,
  blockchain = 'polygon',
): Promise<void> {
  await inBulk(database, async (tx) => {
    await sql`
      insert into wallets (organization_id, wallet_profile_id, blockchain, address, reconciled_block, created_at)
      select ${organizationId}, (select id from wallet_profiles where organization_id = ${organizationId}), ${blockchain},
        '0x' || lpad((${organizationId}::bigint * 100000000 + n)::text, 40, '0'), 0, now()
      from generate_series(1, ${count}::int) n
    `.execute(tx)
    await sql`
      insert into ledger_balances (organization_id, wallet_id, token_address, available, external)
      select organization_id, id, ${TOKEN}, ${WALLET_BALANCE.toString()}::numeric, -${WALLET_BALANCE.toString()}::numeric
      from wallets where organization_id = ${organizationId} and blockchain = ${blockchain}
    `.execute(tx)
  })
}

/** Finished operations of the organization's wallets, with one transaction each; one in ten failed. */
export async function seedOperations(database: BenchDatabase, organizationId: number, count: number): Promise<void> {
  await inBulk(database, async (tx) => {
    await sql`
      with those as (
        select array_agg(id order by id) as ids from wallets where organization_id = ${organizationId}
      )
      insert into operations (organization_id, wallet_id, strategy_id, type, executor, state, amount, settled_amount,
        expires_at, failure_reason, created_at, updated_at, completed_at)
      select ${organizationId}, ids[1 + n % array_length(ids, 1)], ${database.strategyId},
        case when n % 3 = 0 then 'UNWIND' else 'SUPPLY' end, 'client',
        case when n % 10 = 0 then 'FAILED' else 'COMPLETED' end, 1000000, 1000000, now(),
        case when n % 10 = 0 then 'EXPIRED' end, now(), now(), now()
      from those, generate_series(1, ${count}::int) n
    `.execute(tx)
    await sql`
      insert into transactions (organization_id, operation_id, position, kind, state, blockchain, sender, description,
        call, nonce, unsigned_bytes, can_still_land, tx_hash, block_number, finalized_at)
      select organization_id, id, 0, lower(type), case when state = 'FAILED' then 'failed' else 'confirmed' end, 'polygon',
        '0x' || lpad(to_hex(id), 40, '0'), 'Supply 1.00 USDC to Vault USDC',
        jsonb_build_object('family', 'evm', 'to', ${TOKEN}::text, 'data', '0x', 'value', '0'), 0,
        '0x02' || repeat('ab', 120), false, '0x' || lpad(to_hex(id), 64, '0'), 1, now()
      from operations where organization_id = ${organizationId}
    `.execute(tx)
    await sql`
      insert into transaction_hashes (organization_id, blockchain, tx_hash, transaction_id, source, raw, created_at,
        broadcast_at)
      select organization_id, blockchain, tx_hash, id, 'signed', '0x02' || repeat('ab', 190), now(), now()
      from transactions where organization_id = ${organizationId} and tx_hash is not null
    `.execute(tx)
  })
}

/** Operations of the organization's wallets that wait for approval. */
export async function seedUnapproved(database: BenchDatabase, organizationId: number, count: number): Promise<void> {
  await inBulk(database, (tx) =>
    sql`
      with those as (
        select array_agg(id order by id) as ids from wallets where organization_id = ${organizationId}
      )
      insert into operations (organization_id, wallet_id, strategy_id, type, executor, state, amount, required_approvals,
        created_at, updated_at)
      select ${organizationId}, ids[1 + n % array_length(ids, 1)], ${database.strategyId}, 'SUPPLY', 'agent',
        'PENDING_APPROVAL', 1000000, 1, now(), now()
      from those, generate_series(1, ${count}::int) n
    `.execute(tx),
  )
}

/** Closed positions of all of the organization's wallets, then open positions of its first wallets. */
export async function seedAllocations(
  database: BenchDatabase,
  organizationId: number,
  { closed, open }: { closed: number; open: number },
): Promise<void> {
  await inBulk(database, (tx) =>
    sql`
      with those as (
        select array_agg(id order by id) as ids from wallets where organization_id = ${organizationId}
      )
      insert into allocations (organization_id, wallet_id, strategy_id, status, shares, principal, posted_value,
        posted_price, posted_at, opened_at, updated_at, closed_at)
      select ${organizationId}, ids[1 + n % array_length(ids, 1)], ${database.strategyId},
        case when n < ${closed} then 'CLOSED' else 'ACTIVE' end, held, held, held, ${(10n ** 18n).toString()}::numeric,
        now(), now(), now(), case when n < ${closed} then now() end
      from those, generate_series(0, ${closed + open - 1}::int) n,
        lateral (select case when n < ${closed} then 0 else 1000000 end as held) worth
    `.execute(tx),
  )
}

/** What a position of {@link seedAllocations} earns each day of {@link seedYield}, in base units. */
const DAILY_YIELD = 1_000
/** In parts: the connection gives up on a statement that takes longer than the service's may, on a busy machine too. */
const ENTRIES_OF_A_STATEMENT = 30_000

/** The postings and snapshots of the open positions on the days before today: each earned the same on each day. */
export async function seedYield(database: BenchDatabase, organizationId: number, days: number): Promise<void> {
  await inBulk(database, async (tx) => {
    const { rows } = await sql<{ open: number }>`
      select count(*) as open from allocations where organization_id = ${organizationId} and status = 'ACTIVE'
    `.execute(tx)
    const atOnce = Math.max(1, Math.floor(ENTRIES_OF_A_STATEMENT / rows[0]!.open))
    for (let from = 1; from <= days; from += atOnce) {
      const to = Math.min(days, from + atOnce - 1)
      const positions = sql`generate_series(${from}::int, ${to}::int) day,
        (select * from allocations where organization_id = ${organizationId} and status = 'ACTIVE') a`
      await sql`
        insert into ledger_entries (organization_id, kind, source, block_number, created_at)
        select organization_id, 'yield', 'seed:' || id || ':' || day, day,
          date_trunc('day', now(), 'UTC') - (${days}::int - day) * interval '1 day' - interval '1 hour'
        from ${positions}
      `.execute(tx)
      await sql`
        insert into ledger_postings (organization_id, entry_id, wallet_id, token_address, account, amount)
        select e.organization_id, e.id, a.wallet_id, ${TOKEN}, account, amount
        from ledger_entries e
        join allocations a on a.organization_id = e.organization_id and a.id = split_part(e.source, ':', 2)::bigint,
          (values ('deployed', ${DAILY_YIELD}::int), ('yield', ${-DAILY_YIELD}::int)) line (account, amount)
        where e.organization_id = ${organizationId} and e.block_number between ${from} and ${to}
      `.execute(tx)
      await sql`
        insert into yield_snapshots (organization_id, allocation_id, day, value, principal, yield, cumulative_yield)
        select organization_id, id, (now() at time zone 'UTC')::date - (${days}::int + 1 - day),
          principal + day * ${DAILY_YIELD}::int, principal, ${DAILY_YIELD}::int, day * ${DAILY_YIELD}::int
        from ${positions}
      `.execute(tx)
    }
    const earned = sql`${days}::int * ${DAILY_YIELD}::int`
    await sql`
      update ledger_balances b set deployed = a.principal + ${earned}, yield = -${earned}, external = b.external - a.principal
      from allocations a where b.organization_id = ${organizationId} and a.organization_id = b.organization_id
        and a.wallet_id = b.wallet_id
    `.execute(tx)
    await sql`
      update allocations set posted_value = principal + ${earned},
        posted_price = ${PRICE_SCALE.toString()}::numeric * (principal + ${earned}) / principal,
        posted_at = date_trunc('day', now(), 'UTC') - interval '1 hour'
      where organization_id = ${organizationId}
    `.execute(tx)
  })
}

/** The amount that each waiting operation of {@link seedAgentWork} supplies, in base units. */
export const WAITING_AMOUNT = 1_000_000n
/** ERC-4626 `deposit(uint256,address)`, as the venue would plan it. */
const DEPOSIT = `0x6e553f65${WAITING_AMOUNT.toString(16).padStart(64, '0')}`

/**
 * Operations that wait for an agent, one per operational wallet. The oldest `taken` of them are leased for an hour,
 * paused or withheld.
 */
export async function seedAgentWork(
  database: BenchDatabase,
  organizationId: number,
  count: number,
  taken: number,
): Promise<void> {
  await seedWallets(database, organizationId, count)
  await inBulk(database, async (tx) => {
    await sql`
      insert into operational_wallets (organization_id, wallet_id, token_address, enable_yield, buffer_amount, created_at,
        updated_at)
      select organization_id, id, ${TOKEN}, true, 0, now(), now() from wallets where organization_id = ${organizationId}
    `.execute(tx)
    await sql`
      insert into operations (organization_id, wallet_id, strategy_id, type, executor, state, amount, op_wallet_id, origin,
        created_at, updated_at)
      select organization_id, wallet_id, ${database.strategyId}, 'SUPPLY', 'agent', 'EXECUTING', ${WAITING_AMOUNT.toString()},
        id, 'rebalancer', now(), now()
      from operational_wallets where organization_id = ${organizationId} order by id
    `.execute(tx)
    await sql`
      insert into transactions (organization_id, operation_id, position, kind, state, blockchain, sender, description,
        call, can_still_land)
      select o.organization_id, o.id, 0, 'supply', 'unsigned', 'polygon', w.address, 'Supply 1.00 USDC to Vault USDC',
        jsonb_build_object('family', 'evm', 'to', ${VAULT}::text, 'data',
          ${DEPOSIT}::text || lpad(substr(w.address, 3), 64, '0'), 'value', '0'), false
      from operations o join wallets w on w.organization_id = o.organization_id and w.id = o.wallet_id
      where o.organization_id = ${organizationId} order by o.id
    `.execute(tx)
    await sql`
      insert into agent_work (organization_id, transaction_id, operation_id, position, blockchain, sender, stage,
        available_at, withheld_at, created_at)
      select organization_id, id, operation_id, 0, blockchain, sender,
        case when nth > ${taken} then 'ready' else (array['leased', 'paused', 'withheld'])[1 + nth % 3] end,
        now() + interval '1 hour', case when nth <= ${taken} and nth % 3 = 2 then now() end, now()
      from (select *, row_number() over (order by operation_id) as nth from transactions
        where organization_id = ${organizationId}) t
    `.execute(tx)
  })
}
