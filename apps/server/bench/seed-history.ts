import { sql } from 'kysely'
import type { Tx } from '../src/database/index.ts'
import type { BenchDatabase } from './bench-environment.ts'
import { USED_NONCES } from './memory-chain.ts'
import { inBulk } from './seed.ts'

/** Operations: about a million rows, so the indexes that planning and settling write are as deep as in production. */
export const HISTORY = 100_000
export const SHORT_HISTORY = 40
const DAYS = 90
/** Events are kept that long. */
const DAYS_OF_EVENTS = 30
/** What each operation moves, in base units. */
const AMOUNT = 1_000_000
/** In parts: the connection gives up on a statement that takes longer than the service's may, on a busy machine too. */
const OPERATIONS_OF_A_STATEMENT = 5_000
const WALLETS_OF_A_STATEMENT = 10_000

/**
 * Finished operations of the organization's wallets, on the chain of each, with all that planning and settling them
 * wrote: transactions, hashes, reservations, closed positions, the ledger's entries, and the events that are still kept.
 * Each supply is followed by the unwind of its position, so balances stay as they were. One in ten pairs failed.
 */
export async function seedHistory(database: BenchDatabase, organizationId: number, operations: number): Promise<void> {
  await inBulk(database, async (tx) => {
    const { rows } = await sql<{ wallets: number; first: number; last: number }>`
      select count(*) as wallets, min(id) as first, max(id) as last from wallets where organization_id = ${organizationId}
    `.execute(tx)
    const { wallets, first, last } = rows[0]!
    if (operations / wallets > USED_NONCES) throw new Error('a wallet would use nonces that are not used yet')
    for (let from = first; from <= last; from += WALLETS_OF_A_STATEMENT)
      await insertArrivals(tx, { organizationId, from, to: Math.min(last, from + WALLETS_OF_A_STATEMENT - 1) })
    // Not an array, as smaller seeds use: with many wallets each row would copy all of it.
    await sql`
      create temporary table history_wallets on commit drop as
      select (row_number() over (order by id) - 1)::int as place, id from wallets where organization_id = ${organizationId}
    `.execute(tx)
    await sql`alter table history_wallets add primary key (place)`.execute(tx)
    await sql`analyze history_wallets`.execute(tx)
    for (let from = 0; from < operations; from += OPERATIONS_OF_A_STATEMENT) {
      const to = Math.min(operations, from + OPERATIONS_OF_A_STATEMENT) - 1
      await insertOperations(tx, { organizationId, operations, wallets, from, to })
    }
  })
}

interface Part {
  readonly organizationId: number
  readonly from: number
  readonly to: number
}

/** How the wallets got their balances, and that the chain has counted what they sent. By the wallets' ids. */
async function insertArrivals(tx: Tx, { organizationId, from, to }: Part): Promise<void> {
  await sql`
    with entries as (
      insert into ledger_entries (organization_id, kind, source, block_number, created_at)
      select organization_id, 'external_balance', 'balance:seed:' || id, 0, now() - ${DAYS}::int * interval '1 day'
      from wallets where organization_id = ${organizationId} and id between ${from} and ${to}
      returning organization_id, id, split_part(source, ':', 3)::bigint as wallet_id
    )
    insert into ledger_postings (organization_id, entry_id, wallet_id, token_address, account, amount)
    select e.organization_id, e.id, e.wallet_id, b.token_address, line.account, line.sign * b.available
    from entries e
    join ledger_balances b on b.organization_id = e.organization_id and b.wallet_id = e.wallet_id,
      (values ('available', 1), ('external', -1)) line (account, sign)
  `.execute(tx)
  await sql`
    insert into chain_nonces (blockchain, address, latest_count, final_count)
    select blockchain, address, ${USED_NONCES}::bigint, ${USED_NONCES}::bigint from wallets
    where organization_id = ${organizationId} and id between ${from} and ${to}
  `.execute(tx)
}

interface OperationPart extends Part {
  /** Of the whole history. */
  readonly operations: number
  readonly wallets: number
}

/** By their places in the history, from 0. */
async function insertOperations(
  tx: Tx,
  { organizationId, operations, wallets, from, to }: OperationPart,
): Promise<void> {
  await sql`
    with numbered as materialized (
      select n, n / 2 as pair, n % 2 = 1 as is_unwind, nextval('operations_id_seq') as id,
        nextval('transactions_id_seq') as transaction_id
      from generate_series(${from}::int, ${to}::int) n
    ), history as materialized (
      select n.*, w.organization_id, w.wallet_profile_id, w.id as wallet_id, w.blockchain, w.address, s.id as strategy_id,
        s.token_address, pair % 10 = 9 as has_failed, pair / ${wallets}::int * 2 + n % 2 as nonce,
        '0x' || lpad(to_hex(n.id), 64, '0') as tx_hash,
        now() - (${operations}::int - n) * (${DAYS}::int * interval '1 day' / ${operations}::int) as at
      from numbered n join history_wallets h on h.place = n.pair % ${wallets}::int
      join wallets w on w.organization_id = ${organizationId} and w.id = h.id
      join strategies s on s.blockchain = w.blockchain
    ), made_operations as (
      insert into operations (organization_id, id, wallet_id, wallet_profile_id, strategy_id, type, executor, state, amount,
        settled_amount, planned_value, expires_at, failure_reason, created_at, updated_at, completed_at)
      select organization_id, id, wallet_id, wallet_profile_id, strategy_id,
        case when is_unwind then 'UNWIND' else 'SUPPLY' end, 'client',
        case when has_failed then 'FAILED' else 'COMPLETED' end, ${AMOUNT}::int,
        case when not has_failed then ${AMOUNT}::int end, ${AMOUNT}::int, at,
        case when has_failed then 'REVERTED' end, at, at, at
      from history
    ), made_transactions as (
      insert into transactions (organization_id, id, operation_id, position, kind, state, blockchain, sender, description,
        call, nonce, unsigned_bytes, can_still_land, tx_hash, submitted_at, last_seen_at, block_number, block_hash,
        included_at, finalized_at, failure_code)
      select organization_id, transaction_id, id, 0, case when is_unwind then 'unwind' else 'supply' end,
        case when has_failed then 'failed' else 'confirmed' end, blockchain, address, 'Supply 1.00 USDC to Vault USDC',
        jsonb_build_object('family', 'evm', 'to', token_address, 'data', '0x' || repeat('cd', 68), 'value', '0'), nonce,
        '0x02' || repeat('ab', 180), false, tx_hash, at, at, 0, tx_hash, at, at,
        case when has_failed then 'REVERTED' end
      from history
    ), made_hashes as (
      insert into transaction_hashes (organization_id, blockchain, tx_hash, transaction_id, source, raw, created_at,
        broadcast_at)
      select organization_id, blockchain, tx_hash, transaction_id, 'signed', '0x02' || repeat('ab', 250), at, at
      from history
    ), made_reservations as (
      insert into reservations (organization_id, operation_id, wallet_id, token_address, amount, covered, created_at,
        released_at)
      select organization_id, id, wallet_id, token_address, ${AMOUNT}::int, ${AMOUNT}::int, at, at
      from history where not is_unwind
    ), made_allocations as (
      insert into allocations (organization_id, wallet_id, strategy_id, status, shares, principal, posted_value,
        posted_price, posted_at, opened_at, updated_at, closed_at)
      select organization_id, wallet_id, strategy_id, 'CLOSED', 0, 0, 0, ${(10n ** 18n).toString()}::numeric, at, at, at, at
      from history where is_unwind and not has_failed
    ), made_events as (
      insert into outbox (organization_id, event, object_type, object_id, data, created_at, relayed_at, position, body,
        wallet_profile_id)
      select organization_id, event, 'operation', id, data, at, at, nextval('outbox_id_seq'),
        json_build_object('event', event, 'timestamp', to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'data', data)::text, wallet_profile_id
      from history,
        unnest(array['operation.created', 'operation.executing',
          case when has_failed then 'operation.failed' else 'operation.completed' end]) event,
        jsonb_build_object('operationId', id, 'walletId', wallet_id, 'blockchain', blockchain, 'status', event,
          'token', token_address, 'amount', ${AMOUNT.toString()}::text) data
      where at > now() - ${DAYS_OF_EVENTS}::int * interval '1 day'
    ), entries as (
      insert into ledger_entries (organization_id, kind, source, operation_id, block_number, created_at)
      select organization_id, kind, case when kind in ('supply', 'unwind') then 'settle' else kind end || ':' || id, id,
        case when kind in ('supply', 'unwind') then 0 end, at
      from history, unnest(case
        when is_unwind and has_failed then '{}'
        when is_unwind then array['unwind']
        when has_failed then array['reserve', 'release']
        else array['reserve', 'supply'] end) kind
      returning organization_id, id, operation_id, kind
    )
    insert into ledger_postings (organization_id, entry_id, wallet_id, token_address, account, amount)
    select e.organization_id, e.id, h.wallet_id, h.token_address, line.account, line.sign * ${AMOUNT}::int
    from entries e join history h on h.id = e.operation_id
    join (values
      ('reserve', 'available', -1), ('reserve', 'reserved', 1),
      ('release', 'reserved', -1), ('release', 'available', 1),
      ('supply', 'reserved', -1), ('supply', 'deployed', 1),
      ('unwind', 'deployed', -1), ('unwind', 'available', 1)
    ) line (kind, account, sign) on line.kind = e.kind
  `.execute(tx)
}
