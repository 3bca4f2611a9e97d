import { sql } from 'kysely'
import { type Database, holdsLease } from '../../database/index.ts'
import { addMilliseconds, DAY_MS } from '../../kernel/index.ts'
import type { BlockTime, PastPrice, Rates } from '../port.ts'

/** The readings of one strategy. */
export interface StrategyRates extends Rates {
  readonly strategyId: number
}

/**
 * Saves the readings of one block in one statement: the current figures of each strategy, and price, TVL, liquidity and
 * reward index as first read on each UTC day (by the chain's clock). `at` is when the service read them. Nothing if
 * another process follows the chain meanwhile: its readings are newer.
 */
export async function saveRates(
  db: Database,
  block: BlockTime,
  readings: readonly StrategyRates[],
  at: Date,
): Promise<void> {
  await sql`
    with reading as (
      select * from unnest(
        ${readings.map(({ strategyId }) => strategyId)}::bigint[],
        ${readings.map(({ apy }) => apy)}::double precision[],
        ${readings.map(({ tvl }) => tvl)}::numeric[],
        ${readings.map(({ liquidity }) => liquidity)}::numeric[],
        ${readings.map(({ price }) => price)}::numeric[],
        ${readings.map(({ deposits }) => deposits.state)}::text[],
        ${readings.map(({ deposits }) => deposits.room)}::numeric[],
        ${readings.map(({ withdrawals }) => withdrawals)}::text[],
        ${readings.map(({ shortfall = null }) => shortfall)}::numeric[],
        ${readings.map(({ entryFeeBps = null }) => entryFeeBps)}::integer[],
        ${readings.map(({ exitFeeBps = null }) => exitFeeBps)}::integer[],
        ${readings.map(({ timelockSeconds = null }) => timelockSeconds)}::bigint[],
        ${readings.map(({ cooldownSeconds = null }) => cooldownSeconds)}::bigint[],
        ${readings.map(({ rewards }) => rewards?.index ?? null)}::numeric[],
        ${readings.map(({ rewards }) => rewards?.accrues ?? null)}::boolean[],
        ${readings.map(({ rewards }) => rewards?.paidIn?.factor ?? null)}::numeric[],
        ${readings.map(({ rewards }) => rewards?.paidIn?.token ?? null)}::text[]
      ) as r (strategy_id, apy, tvl, liquidity, price, deposit_state, deposit_room, withdrawal_state, shortfall,
        entry_fee_bps, exit_fee_bps, timelock_seconds, cooldown_seconds, reward_index, reward_accrues, reward_factor, reward_token)
      where ${holdsLease(db)}
    ), saved as (
      update strategies s
      set apy = r.apy, tvl = r.tvl, liquidity = r.liquidity, price = r.price, deposit_state = r.deposit_state,
        deposit_room = r.deposit_room, withdrawal_state = r.withdrawal_state,
        shortfall = r.shortfall, entry_fee_bps = r.entry_fee_bps, exit_fee_bps = r.exit_fee_bps,
        timelock_seconds = r.timelock_seconds, cooldown_seconds = r.cooldown_seconds, reward_index = r.reward_index,
        reward_accrues = r.reward_accrues, reward_factor = r.reward_factor, reward_token = r.reward_token,
        price_block = ${block.number}, price_at = ${block.time}, rates_at = ${at}
      from reading r where s.id = r.strategy_id
    )
    insert into strategy_prices (strategy_id, day, price, tvl, liquidity, reward_index, read_at)
    select strategy_id, (${block.time}::timestamptz at time zone 'UTC')::date, price, tvl, liquidity, reward_index,
      ${block.time}
    from reading
    on conflict do nothing
  `.execute(db)
}

/**
 * The past price from which each strategy of a chain measures its yield, as of `now` by the chain's clock: the newest
 * reading that is a week old, otherwise the oldest that is at least a day old. Over a week, a vault that books its
 * yield once a day shows a steady rate; over less than a day the rate would be noise. Strategies without a reading are
 * missing.
 */
export async function pastPrices(db: Database, blockchain: string, now: Date): Promise<ReadonlyMap<number, PastPrice>> {
  const [dayAgo, weekAgo] = [addMilliseconds(now, -DAY_MS), addMilliseconds(now, -7 * DAY_MS)]
  const { rows } = await sql<{ strategy_id: number; price: bigint; read_at: Date }>`
    select p.strategy_id, p.price, p.read_at
    from strategies s, lateral (
      (select *, 1 as choice from strategy_prices
        where strategy_id = s.id and read_at <= ${weekAgo} order by day desc limit 1)
      union all
      (select *, 2 from strategy_prices
        where strategy_id = s.id and read_at > ${weekAgo} and read_at <= ${dayAgo} order by day limit 1)
      order by choice limit 1
    ) p
    where s.blockchain = ${blockchain}
  `.execute(db)
  return new Map(rows.map(({ strategy_id, price, read_at }) => [strategy_id, { price, at: read_at }]))
}

/** Deletes every reading of a chain's strategies: the chain was reset, and the prices of the new one start over. */
export async function deleteRates(db: Database, blockchain: string): Promise<void> {
  await sql`
    with reset as (
      update strategies
      set price = null, price_block = null, price_at = null, tvl = null, liquidity = null, apy = 0, rates_at = null,
        deposit_state = null, deposit_room = null, withdrawal_state = null, shortfall = null,
        entry_fee_bps = null, exit_fee_bps = null, timelock_seconds = null,
        cooldown_seconds = null, reward_index = null, reward_accrues = null, reward_factor = null, reward_token = null
      where blockchain = ${blockchain}
      returning id
    )
    , code as (
      delete from strategy_code where strategy_id in (select id from reset)
    )
    delete from strategy_prices where strategy_id in (select id from reset)
  `.execute(db)
}
