import { sql } from 'kysely'
import { STOPPING } from '../breakers/index.ts'
import type { Chains } from '../chains/index.ts'
import type { Database } from '../database/index.ts'
import { addMilliseconds, DRIFTED_WALLETS_BATCH, REBALANCE_BACKOFF_MS } from '../kernel/index.ts'
import { scheduleEvaluationSql } from '../wallets/index.ts'
import { baseUnitsOf, type RebalanceSettings } from './settings.ts'

interface DriftScreening {
  readonly settings: Pick<RebalanceSettings, 'floor' | 'dust'>
  readonly now: Date
  readonly signal?: AbortSignal
}

/**
 * The safety net (contract 10): schedules every operational wallet whose ledger shows that something should move. Pages
 * through all wallets by id and writes nothing for a balanced one. A wallet that is due later than twice the longest pause
 * has its time from a wrong clock. Returns the number of wallets scheduled.
 */
export async function scheduleDriftedWallets(
  db: Database,
  chains: Chains,
  { settings, now, signal }: DriftScreening,
): Promise<number> {
  const tokens = [...chains.values()].flatMap(({ network }) =>
    network.tokens.map(({ address, decimals }) => ({
      blockchain: network.blockchain,
      token_address: address,
      floor: baseUnitsOf(settings.floor, decimals).toString(),
      dust: baseUnitsOf(settings.dust, decimals).toString(),
    })),
  )
  let asked = 0
  for (let after = 0; !signal?.aborted; ) {
    const page = await schedulePage(db, tokens, after, now)
    asked += page.asked
    if (page.last === null) return asked
    after = page.last
  }
  return asked
}

async function schedulePage(
  db: Database,
  tokens: readonly object[],
  after: number,
  now: Date,
): Promise<{ asked: number; last: number | null }> {
  const { rows } = await sql<{ asked: number; last: number | null }>`
    with page as (
      select organization_id, id, wallet_id, token_address, enable_yield, buffer_amount, due_at
      from operational_wallets where id > ${after} order by id limit ${DRIFTED_WALLETS_BATCH}
    ), drifted as (
      select p.organization_id, p.id
      from page p
      join wallets w on w.organization_id = p.organization_id and w.id = p.wallet_id
      join jsonb_to_recordset(${JSON.stringify(tokens)}::jsonb)
        as t(blockchain text, token_address text, floor numeric, dust numeric)
        on t.blockchain = w.blockchain and t.token_address = p.token_address
      join ledger_balances b on b.organization_id = p.organization_id and b.wallet_id = p.wallet_id
        and b.token_address = p.token_address
      where (p.due_at is null or p.due_at > ${addMilliseconds(now, 2 * REBALANCE_BACKOFF_MS.max)}) and (
        (p.enable_yield and b.available - p.buffer_amount >= t.floor)
        or (b.deployed + b.exiting > 0 and p.buffer_amount - b.available >= t.dust)
        or (b.exiting > 0 and exists (select 1 from exits x join strategies s on s.id = x.strategy_id
          where x.organization_id = p.organization_id and x.wallet_id = p.wallet_id and x.state = 'claimable'
            and s.token_address = p.token_address))
        or (b.deployed > 0 and exists (select 1 from circuit_breakers c
          join breaker_settings g on g.organization_id = c.organization_id and (g.settings ->> 'withdraw')::boolean
          join strategies s on s.id = c.strategy_id and s.token_address = p.token_address
          join allocations a on a.organization_id = c.organization_id and a.wallet_id = p.wallet_id
            and a.strategy_id = c.strategy_id and a.status <> 'CLOSED'
          where c.organization_id = p.organization_id and c.state = any(${STOPPING}::text[])))
        or exists (select 1 from awaited_withdrawals a
          where a.organization_id = p.organization_id and a.op_wallet_id = p.id and a.state = 'open')
        or exists (select 1 from left_allowances l where l.organization_id = p.organization_id and l.op_wallet_id = p.id))
    ), asked as (
      ${scheduleEvaluationSql(sql`select organization_id, id from drifted`, now)}
      returning o.id
    )
    select (select count(*) from asked) as asked, (select max(id) from page) as last
  `.execute(db)
  return rows[0]!
}
