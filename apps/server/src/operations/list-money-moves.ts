import { sql } from 'kysely'
import type { Chains, Token } from '../chains/index.ts'
import type { Database, Tx } from '../database/index.ts'
import { inSum } from '../kernel/index.ts'
import { type OperationalWallet, watchedToken } from '../wallets/index.ts'

export type MoveType = 'INFLOW' | 'SUPPLY' | 'UNWIND' | 'TRANSFER_OUT'
export type MoveStatus = 'PENDING' | 'CONFIRMED' | 'FAILED'

/** Money that came to a wallet or went from it: by an operation, or past us. Amount in base units. */
export interface MoneyMove {
  /** Unique among moves; not the id of a transaction. */
  readonly moveId: number
  readonly type: MoveType
  readonly status: MoveStatus
  readonly direction: 'IN' | 'OUT'
  readonly walletId: number
  readonly walletAddress: string
  readonly blockchain: string
  readonly opWalletId: number | null
  readonly token: Token
  readonly amount: bigint
  /** The chain's own hash; what moved past us is known by its balance alone. */
  readonly txHash: string | null
  readonly blockNumber: number | null
  readonly operationId: number | null
  readonly operationState: string | null
  readonly at: Date
  readonly finalAt: Date | null
}

export interface MoneyMoveFilter {
  readonly of?: OperationalWallet | undefined
  /** Addresses of a token on the chains. */
  readonly tokenAddresses?: readonly string[] | undefined
  readonly type?: MoveType | undefined
  readonly status?: MoveStatus | undefined
  readonly from?: Date | undefined
  /** Exclusive. */
  readonly until?: Date | undefined
}

/** Sums over tokens (see kernel `SUM_DECIMALS`) of everything that matches and has not failed. */
export interface MoneyMoveSums {
  readonly inflow: bigint
  readonly outflow: bigint
  readonly count: number
}

export interface MoneyMoves {
  readonly moves: readonly MoneyMove[]
  readonly total: number
  readonly all: MoneyMoveSums
  readonly byToken: readonly (MoneyMoveSums & { readonly token: string })[]
}

/**
 * What came to the wallets of an organization and went from them, newest first: transactions of operations that move
 * money, and deposits and withdrawals made past us (specification 4.9, decisions 14).
 */
export async function listMoneyMoves(
  { db, chains }: { db: Database; chains: Chains },
  organizationId: number,
  filter: MoneyMoveFilter,
  page: { limit: number; offset: number },
): Promise<MoneyMoves> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      const matching = movesOf(organizationId, filter)
      const rows = await pageOf(tx, organizationId, matching, page)
      const sums = await sumsOf(tx, organizationId, matching)
      const byToken = new Map<string, MoneyMoveSums>()
      const all = { inflow: 0n, outflow: 0n, count: 0 }
      let total = 0
      for (const { blockchain, token_address, direction, how_many, standing, amount } of sums) {
        const { symbol, decimals } = watchedToken(chains, blockchain, token_address)
        const before = byToken.get(symbol) ?? { inflow: 0n, outflow: 0n, count: 0 }
        const moved = inSum(amount, decimals)
        const [inflow, outflow] = direction === 'IN' ? [moved, 0n] : [0n, moved]
        byToken.set(symbol, {
          inflow: before.inflow + inflow,
          outflow: before.outflow + outflow,
          count: before.count + standing,
        })
        all.inflow += inflow
        all.outflow += outflow
        all.count += standing
        total += how_many
      }
      return {
        moves: rows.map((row) => moveOf(chains, row)),
        total,
        all,
        byToken: [...byToken].map(([token, of]) => ({ token, ...of })),
      }
    })
}

/** Both kinds of moves in one form, filtered. Ids of the two never meet: one kind is even, the other odd. */
function movesOf(organizationId: number, { of, tokenAddresses, type, status, from, until }: MoneyMoveFilter) {
  return sql`
    select * from (
      select t.id * 2 as id, o.type as type, case when o.type = 'SUPPLY' then 'OUT' else 'IN' end as direction,
        case t.state when 'confirmed' then 'CONFIRMED' when 'failed' then 'FAILED' else 'PENDING' end as status,
        o.wallet_id, s.token_address, coalesce(o.settled_amount, o.amount, 0) as amount, t.tx_hash, t.block_number,
        o.id as operation_id, o.state as operation_state, coalesce(t.submitted_at, t.seen_at, o.created_at) as at,
        t.finalized_at as final_at
      from transactions t
      join operations o on o.organization_id = t.organization_id and o.id = t.operation_id
      join strategies s on s.id = o.strategy_id
      where t.organization_id = ${organizationId} and t.kind in ('supply', 'unwind') and t.tx_hash is not null
      union all
      select e.id * 2 + 1, case when p.amount > 0 then 'INFLOW' else 'TRANSFER_OUT' end,
        case when p.amount > 0 then 'IN' else 'OUT' end, 'CONFIRMED', p.wallet_id, p.token_address, abs(p.amount), null,
        e.block_number, null, null, e.created_at, e.created_at
      from ledger_entries e
      join ledger_postings p on p.organization_id = e.organization_id and p.entry_id = e.id
      where e.organization_id = ${organizationId} and e.kind = 'external_balance' and p.account = 'available'
    ) moved
    where (${of?.walletId ?? null}::bigint is null or wallet_id = ${of?.walletId ?? null})
      and (${of?.tokenAddress ?? null}::text is null or token_address = ${of?.tokenAddress ?? null})
      and (${tokenAddresses ?? null}::text[] is null or token_address = any(${tokenAddresses ?? null}::text[]))
      and (${type ?? null}::text is null or type = ${type ?? null})
      and (${status ?? null}::text is null or status = ${status ?? null})
      and (${from ?? null}::timestamptz is null or at >= ${from ?? null})
      and (${until ?? null}::timestamptz is null or at < ${until ?? null})
  `
}

interface Row {
  id: number
  type: MoveType
  status: MoveStatus
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

async function pageOf(
  tx: Tx,
  organizationId: number,
  matching: ReturnType<typeof movesOf>,
  page: { limit: number; offset: number },
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select m.*, w.address, w.blockchain, ow.id as op_wallet_id
    from (${matching} order by at desc, id desc limit ${page.limit} offset ${page.offset}) m
    join wallets w on w.organization_id = ${organizationId} and w.id = m.wallet_id
    left join operational_wallets ow on ow.organization_id = ${organizationId} and ow.wallet_id = m.wallet_id
      and ow.token_address = m.token_address
    order by m.at desc, m.id desc
  `.execute(tx)
  return rows
}

interface SumRow {
  blockchain: string
  token_address: string
  direction: 'IN' | 'OUT'
  how_many: number
  /** Of them those that have not failed. */
  standing: number
  amount: bigint
}

async function sumsOf(tx: Tx, organizationId: number, matching: ReturnType<typeof movesOf>): Promise<SumRow[]> {
  const { rows } = await sql<SumRow>`
    select w.blockchain, m.token_address, m.direction, count(*) as how_many,
      count(*) filter (where m.status <> 'FAILED') as standing,
      coalesce(sum(m.amount) filter (where m.status <> 'FAILED'), 0) as amount
    from (${matching}) m join wallets w on w.organization_id = ${organizationId} and w.id = m.wallet_id
    group by w.blockchain, m.token_address, m.direction
  `.execute(tx)
  return rows
}

function moveOf(chains: Chains, row: Row): MoneyMove {
  return {
    moveId: row.id,
    type: row.type,
    status: row.status,
    direction: row.direction,
    walletId: row.wallet_id,
    walletAddress: row.address,
    blockchain: row.blockchain,
    opWalletId: row.op_wallet_id,
    token: watchedToken(chains, row.blockchain, row.token_address),
    amount: row.amount,
    txHash: row.tx_hash,
    blockNumber: row.block_number,
    operationId: row.operation_id,
    operationState: row.operation_state,
    at: row.at,
    finalAt: row.final_at,
  }
}
