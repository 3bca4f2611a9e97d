import { sql } from 'kysely'
import { type Database, preparedQuery, type Tx } from '../../database/index.ts'
import {
  CURRENT_VALUE,
  EXIT_PROTOCOLS,
  OWNERS_READINGS,
  payableTogether,
  type StoredReadings,
  storedReadings,
  VALUE_OF_READING,
} from '../../venues/index.ts'
import type { RebalanceSettings } from '../settings.ts'
import { type DepositLimits, defaultLimits, isUnlimited } from './deposit-limits.ts'
import { exitHeadroom, type Headroom, limitHeadrooms } from './headroom.ts'

type Defaults = Pick<RebalanceSettings, 'depositLimits'>

const ownLimits = preparedQuery('deposit limits', (db, place: (name: 'organizationId') => never) =>
  db.selectFrom('deposit_limits').select('limits').where('organization_id', '=', place('organizationId')),
)

/** The limits that apply to an organization: its own, or the defaults of the installation. */
export async function limitsOf(db: Database | Tx, defaults: Defaults, organizationId: number): Promise<DepositLimits> {
  const [row] = await ownLimits(db, { organizationId })
  return row ? row.limits : defaultLimits(defaults)
}

/**
 * The headroom that the organization's limits leave in each strategy. One statement without limits, two with them.
 * Reservations of unfinished deployments count as deposits.
 */
export async function readLimitHeadrooms(
  db: Database | Tx,
  defaults: Defaults,
  organizationId: number,
): Promise<ReadonlyMap<number, Headroom>> {
  const { rows } = await sql<{ limits: DepositLimits | null; slow: number[] }>`
    select (select limits from deposit_limits where organization_id = ${organizationId}) as limits,
      array(select id from strategies where protocol = any(${EXIT_PROTOCOLS}::text[])) as slow
  `.execute(db)
  const limits = rows[0]?.limits ?? defaultLimits(defaults)
  const headrooms = new Map(isUnlimited(limits) ? [] : await readHeadrooms(db, limits, organizationId))
  for (const strategyId of rows[0]?.slow ?? []) {
    const headroom = exitHeadroom(strategyId, limits)
    if (headroom) headrooms.set(strategyId, headroom)
  }
  return headrooms
}

interface UseRow {
  id: number
  venue_name: string
  protocol: string
  blockchain: string
  token_decimals: number
  tvl: bigint | null
  liquidity: bigint | null
  inside: bigint
  price: bigint | null
  peak: bigint | null
  read_value: bigint
  readings: StoredReadings | null
  whole: bigint
}

/** Holdings count where a strategy takes the token: without one, its decimals are not in the catalogue. */
export async function readHeadrooms(
  db: Database | Tx,
  limits: DepositLimits,
  organizationId: number,
): Promise<ReadonlyMap<number, Headroom>> {
  const { rows } = await sql<UseRow>`
    with tokens as (
      select distinct blockchain, token_address, token_decimals from strategies
    ), positions as (
      select a.strategy_id, a.withdrawable, ${VALUE_OF_READING} as read_value, ${CURRENT_VALUE} as value, s.token_decimals, s.protocol
      from allocations a join strategies s on s.id = a.strategy_id
      where a.organization_id = ${organizationId} and a.status <> 'CLOSED'
    ), held as (
      select coalesce(sum(amount * (10::numeric ^ (18 - token_decimals))), 0) as whole from (
        select b.available + b.reserved + b.exiting as amount, t.token_decimals
        from ledger_balances b
        join wallets w on w.organization_id = b.organization_id and w.id = b.wallet_id
        join tokens t on t.blockchain = w.blockchain and t.token_address = b.token_address
        where b.organization_id = ${organizationId}
        union all
        select value, token_decimals from positions
      ) parts
    ), inside as (
      select strategy_id, sum(amount) as amount from (
        select strategy_id, value as amount from positions
        union all
        select strategy_id, pending + claimable from exits
        where organization_id = ${organizationId} and state <> 'claimed'
        union all
        select o.strategy_id, r.amount from reservations r
        join operations o on o.organization_id = r.organization_id and o.id = r.operation_id
        where r.organization_id = ${organizationId} and r.released_at is null
      ) parts group by strategy_id
    ), known as (
      select strategy_id, sum(value) as value, ${OWNERS_READINGS} as readings
      from (
        select strategy_id, withdrawable, read_value as value from positions
        where withdrawable is not null and protocol <> all(${EXIT_PROTOCOLS}::text[])
      ) read group by strategy_id
    )
    select s.id, v.name as venue_name, s.protocol, s.blockchain, s.token_decimals, s.tvl, s.liquidity,
      coalesce(inside.amount, 0) as inside, s.price,
      (select max(p.price) from strategy_prices p
        where p.strategy_id = s.id and p.read_at > s.price_at - interval '30 days') as peak,
      coalesce(known.value, 0) as read_value, known.readings, trunc(held.whole) as whole
    from strategies s
    join venues v on v.id = s.venue_id
    cross join held
    left join inside on inside.strategy_id = s.id
    left join known on known.strategy_id = s.id
  `.execute(db)
  const uses = rows.map((row) => ({
    strategy: {
      id: row.id,
      venueName: row.venue_name,
      protocol: row.protocol,
      blockchain: row.blockchain,
      tokenDecimals: row.token_decimals,
      tvl: row.tvl,
      liquidity: row.liquidity,
    },
    inside: row.inside,
    price: row.price,
    peak: row.peak,
    readValue: row.read_value,
    withdrawable: payableTogether(storedReadings(row.readings), row).possible,
  }))
  return limitHeadrooms(limits, uses, rows[0]?.whole ?? 0n)
}
