import { sql } from 'kysely'
import type { Chains, Token } from '../../chains/index.ts'
import type { Database, Tx } from '../../database/index.ts'
import { toSumUnits } from '../../kernel/index.ts'
import { reclassifiedEntries } from '../../ledger/index.ts'
import { type OperationalWallet, requireConfiguredToken } from '../../wallets/index.ts'

export type MoneyMovementType = 'INFLOW' | 'SUPPLY' | 'UNWIND' | 'TRANSFER_OUT'
type MoneyMovementStatus = 'PENDING' | 'CONFIRMED' | 'FAILED'

/** Money that entered or left a wallet, through an operation or outside of Weir. Amount in base units. */
export interface MoneyMovement {
  /** Unique among movements; not a transaction id. */
  readonly movementId: number
  readonly type: MoneyMovementType
  readonly status: MoneyMovementStatus
  readonly direction: 'IN' | 'OUT'
  readonly walletId: number
  readonly walletAddress: string
  readonly blockchain: string
  readonly opWalletId: number | null
  readonly token: Token
  readonly amount: bigint
  /** `null` for money that moved outside of Weir: only the change of the balance is known. */
  readonly txHash: string | null
  readonly blockNumber: number | null
  readonly operationId: number | null
  readonly operationState: string | null
  readonly at: Date
  readonly finalAt: Date | null
}

/** Undefined fields match every movement. None is optional: a field under another name would filter nothing. */
export interface MoneyMovementFilter {
  readonly opWallet: OperationalWallet | undefined
  /** Addresses of a token on the chains. */
  readonly tokenAddresses: readonly string[] | undefined
  readonly type: MoneyMovementType | undefined
  readonly status: MoneyMovementStatus | undefined
  readonly from: Date | undefined
  /** Exclusive. */
  readonly until: Date | undefined
}

/** Sums over tokens (see kernel `SUM_DECIMALS`) of the matching movements that have not failed. */
export interface MoneyMovementTotals {
  readonly inflow: bigint
  readonly outflow: bigint
  readonly count: number
}

export interface MoneyMovementPage {
  readonly moves: readonly MoneyMovement[]
  readonly total: number
  readonly all: MoneyMovementTotals
  readonly byToken: readonly (MoneyMovementTotals & { readonly token: string })[]
}

/**
 * Lists the money that entered and left an organization's wallets, newest first: operations' transactions that move
 * money, and deposits, withdrawals and claims of exits made outside of Weir (spec 4.9, contract 14).
 */
export async function listMoneyMovements(
  { db, chains }: { db: Database; chains: Chains },
  organizationId: number,
  filter: MoneyMovementFilter,
  page: { limit: number; offset: number },
): Promise<MoneyMovementPage> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      const matching = selectMovements(organizationId, filter)
      const rows = await readMovementPage(tx, organizationId, matching, page)
      const sums = await readMovementTotals(tx, organizationId, matching)
      const byToken = new Map<string, MoneyMovementTotals>()
      const all = { inflow: 0n, outflow: 0n, count: 0 }
      let total = 0
      for (const { blockchain, token_address, direction, count, not_failed, amount } of sums) {
        const { symbol, decimals } = requireConfiguredToken(chains, blockchain, token_address)
        const before = byToken.get(symbol) ?? { inflow: 0n, outflow: 0n, count: 0 }
        const moved = toSumUnits(amount, decimals)
        const [inflow, outflow] = direction === 'IN' ? [moved, 0n] : [0n, moved]
        byToken.set(symbol, {
          inflow: before.inflow + inflow,
          outflow: before.outflow + outflow,
          count: before.count + not_failed,
        })
        all.inflow += inflow
        all.outflow += outflow
        all.count += not_failed
        total += count
      }
      return {
        moves: rows.map((row) => movementFrom(chains, row)),
        total,
        all,
        byToken: [...byToken].map(([token, totals]) => ({ token, ...totals })),
      }
    })
}

/**
 * Operations' transactions, changes of balances outside of Weir except those that turned out to be an operation's, and
 * claims outside of Weir, which entries of exits contain beside those of operations. In one shape, filtered. Ids of
 * transactions are even, those of entries odd.
 */
function selectMovements(
  organizationId: number,
  { opWallet, tokenAddresses, type, status, from, until }: MoneyMovementFilter,
) {
  return sql`
    select * from (
      select t.id * 2 as id, o.type as type, case when o.type = 'SUPPLY' then 'OUT' else 'IN' end as direction,
        case t.state when 'confirmed' then 'CONFIRMED' when 'failed' then 'FAILED' else 'PENDING' end as status,
        o.wallet_id, s.token_address, coalesce(o.settled_amount, o.amount, o.planned_value, 0) as amount, t.tx_hash,
        t.block_number, o.id as operation_id, o.state as operation_state,
        coalesce(t.submitted_at, t.last_seen_at, o.created_at) as at, t.finalized_at as final_at
      from transactions t
      join operations o on o.organization_id = t.organization_id and o.id = t.operation_id
      join strategies s on s.id = o.strategy_id
      where t.organization_id = ${organizationId} and t.kind in ('supply', 'unwind', 'exit_claim') and t.tx_hash is not null
      union all
      select e.id * 2 + 1, case when outside.amount > 0 then 'INFLOW' else 'TRANSFER_OUT' end,
        case when outside.amount > 0 then 'IN' else 'OUT' end, 'CONFIRMED', p.wallet_id, p.token_address,
        abs(outside.amount), null, e.block_number, null, null, e.created_at, e.created_at
      from ledger_entries e
      join ledger_postings p on p.organization_id = e.organization_id and p.entry_id = e.id
      left join ${reclassifiedEntries(sql`${organizationId}::bigint`)} taken on taken.entry_id = e.id
      cross join lateral (select p.amount + coalesce(taken.amount, 0) as amount) outside
      where e.organization_id = ${organizationId} and e.kind = 'external_balance' and p.account = 'available'
        and outside.amount <> 0
      union all
      select e.id * 2 + 1, 'INFLOW', 'IN', 'CONFIRMED', p.wallet_id, p.token_address, p.amount - own.claimed, null,
        e.block_number, null, null, e.created_at, e.created_at
      from ledger_entries e
      join ledger_postings p on p.organization_id = e.organization_id and p.entry_id = e.id
      cross join lateral (
        select coalesce(sum(o.settled_amount), 0) as claimed from operations o
        join transactions t on t.organization_id = o.organization_id and t.operation_id = o.id and t.kind = 'exit_claim'
        where o.organization_id = e.organization_id and o.wallet_id = p.wallet_id
          and o.strategy_id = split_part(e.source, ':', 4)::bigint and t.state = 'confirmed'
          and t.block_number = e.block_number and t.block_hash = split_part(e.source, ':', 2)
      ) own
      where e.organization_id = ${organizationId} and e.kind = 'exit' and p.account = 'available'
        and p.amount > own.claimed
    ) moved
    where (${opWallet?.walletId ?? null}::bigint is null or wallet_id = ${opWallet?.walletId ?? null})
      and (${opWallet?.tokenAddress ?? null}::text is null or token_address = ${opWallet?.tokenAddress ?? null})
      and (${tokenAddresses ?? null}::text[] is null or token_address = any(${tokenAddresses ?? null}::text[]))
      and (${type ?? null}::text is null or type = ${type ?? null})
      and (${status ?? null}::text is null or status = ${status ?? null})
      and (${from ?? null}::timestamptz is null or at >= ${from ?? null})
      and (${until ?? null}::timestamptz is null or at < ${until ?? null})
  `
}

interface MovementRow {
  id: number
  type: MoneyMovementType
  status: MoneyMovementStatus
  direction: 'IN' | 'OUT'
  wallet_id: number
  address: string
  blockchain: string
  op_wallet_id: number | null
  token_address: string
  amount: bigint
  tx_hash: string | null
  block_number: number | null
  operation_id: number | null
  operation_state: string | null
  at: Date
  final_at: Date | null
}

async function readMovementPage(
  tx: Tx,
  organizationId: number,
  matching: ReturnType<typeof selectMovements>,
  page: { limit: number; offset: number },
): Promise<MovementRow[]> {
  const { rows } = await sql<MovementRow>`
    select m.*, w.address, w.blockchain, ow.id as op_wallet_id
    from (${matching} order by at desc, id desc limit ${page.limit} offset ${page.offset}) m
    join wallets w on w.organization_id = ${organizationId} and w.id = m.wallet_id
    left join operational_wallets ow on ow.organization_id = ${organizationId} and ow.wallet_id = m.wallet_id
      and ow.token_address = m.token_address
    order by m.at desc, m.id desc
  `.execute(tx)
  return rows
}

interface MovementTotalRow {
  blockchain: string
  token_address: string
  direction: 'IN' | 'OUT'
  count: number
  /** The part of `count` that has not failed. */
  not_failed: number
  amount: bigint
}

async function readMovementTotals(
  tx: Tx,
  organizationId: number,
  matching: ReturnType<typeof selectMovements>,
): Promise<MovementTotalRow[]> {
  const { rows } = await sql<MovementTotalRow>`
    select w.blockchain, m.token_address, m.direction, count(*) as count,
      count(*) filter (where m.status <> 'FAILED') as not_failed,
      coalesce(sum(m.amount) filter (where m.status <> 'FAILED'), 0) as amount
    from (${matching}) m join wallets w on w.organization_id = ${organizationId} and w.id = m.wallet_id
    group by w.blockchain, m.token_address, m.direction
  `.execute(tx)
  return rows
}

function movementFrom(chains: Chains, row: MovementRow): MoneyMovement {
  return {
    movementId: row.id,
    type: row.type,
    status: row.status,
    direction: row.direction,
    walletId: row.wallet_id,
    walletAddress: row.address,
    blockchain: row.blockchain,
    opWalletId: row.op_wallet_id,
    token: requireConfiguredToken(chains, row.blockchain, row.token_address),
    amount: row.amount,
    txHash: row.tx_hash,
    blockNumber: row.block_number,
    operationId: row.operation_id,
    operationState: row.operation_state,
    at: row.at,
    finalAt: row.final_at,
  }
}
