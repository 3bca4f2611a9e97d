import { sql } from 'kysely'
import type { Database, Tx } from '../../database/index.ts'
import { addMilliseconds, LATE_RELEASES_MS, toSumUnits } from '../../kernel/index.ts'
import {
  CURRENT_VALUE,
  EXIT_PROTOCOLS,
  OWNERS_READINGS,
  type OwnersReadings,
  type StoredReadings,
  storedReadings,
  VALUE_OF_READING,
} from '../../venues/index.ts'

/**
 * Everything that an organization holds, added up at one moment. Reading it costs time that grows with its positions, so
 * a page of wallets reads it once, and {@link readInside} adds what was planned since.
 */
export interface HeldSums {
  readonly organizationId: number
  readonly strategies: ReadonlyMap<number, StrategySums>
  /** By {@link tokenKey}. */
  readonly tokens: ReadonlyMap<string, TokenSum>
  /** Reservations that were released from then on are counted when they are read, not here. */
  readonly countedFrom: Date
}

/** Of the organization's positions in one strategy. Base units. */
interface StrategySums {
  /** Positions and exits, without the reservations that were released since `countedFrom`: may be negative. */
  readonly inside: bigint
  /** The part of the positions whose withdrawable amount is known, and what was read of it. */
  readonly readValue: bigint
  readonly readings: OwnersReadings
}

/** What the organization holds of a token on one chain, in wallets and in strategies. Base units. */
interface TokenSum {
  readonly amount: bigint
  readonly decimals: number
}

interface TokenOfStrategy {
  readonly blockchain: string
  readonly tokenAddress: string
}

export const tokenKey = ({ blockchain, tokenAddress }: TokenOfStrategy): string => `${blockchain} ${tokenAddress}`

/** Of all tokens, in sum units. */
export const wholeOf = ({ tokens }: HeldSums): bigint =>
  [...tokens.values()].reduce((sum, { amount, decimals }) => sum + toSumUnits(amount, decimals), 0n)

interface SumsRow {
  id: number
  blockchain: string
  token_address: string
  token_decimals: number
  in_wallets: bigint
  value: bigint
  exiting: bigint
  released: bigint
  read_value: bigint
  readings: StoredReadings | null
}

/** Holdings count where a strategy takes the token: without one, its decimals are not in the catalogue. One statement. */
export async function readHeldSums(db: Database | Tx, organizationId: number, now: Date): Promise<HeldSums> {
  const countedFrom = addMilliseconds(now, -LATE_RELEASES_MS)
  const { rows } = await sql<SumsRow>`
    with held as (
      select w.blockchain, b.token_address, sum(b.available + b.reserved + b.exiting) as amount
      from ledger_balances b join wallets w on w.organization_id = b.organization_id and w.id = b.wallet_id
      where b.organization_id = ${organizationId}
      group by w.blockchain, b.token_address
    ), positions as (
      select strategy_id, sum(current_value) as current_value,
        coalesce(sum(value) filter (where withdrawable is not null), 0) as read_value, ${OWNERS_READINGS} as readings
      from (
        select a.strategy_id, ${CURRENT_VALUE} as current_value, ${VALUE_OF_READING} as value,
          case when s.protocol <> all(${EXIT_PROTOCOLS}::text[]) then a.withdrawable end as withdrawable
        from allocations a join strategies s on s.id = a.strategy_id
        where a.organization_id = ${organizationId} and a.status <> 'CLOSED'
      ) position group by strategy_id
    ), waiting as (
      select strategy_id, sum(pending + claimable) as amount from exits
      where organization_id = ${organizationId} and state <> 'claimed'
      group by strategy_id
    ), released as (
      select o.strategy_id, sum(r.amount) as amount
      from reservations r join operations o on o.organization_id = r.organization_id and o.id = r.operation_id
      where r.organization_id = ${organizationId} and r.released_at >= ${countedFrom}
      group by o.strategy_id
    )
    select s.id, s.blockchain, s.token_address, s.token_decimals, coalesce(h.amount, 0) as in_wallets,
      coalesce(p.current_value, 0) as value, coalesce(w.amount, 0) as exiting, coalesce(r.amount, 0) as released,
      coalesce(p.read_value, 0) as read_value, p.readings
    from strategies s
    left join held h on h.blockchain = s.blockchain and h.token_address = s.token_address
    left join positions p on p.strategy_id = s.id
    left join waiting w on w.strategy_id = s.id
    left join released r on r.strategy_id = s.id
  `.execute(db)
  const strategies = rows.map(({ id, value, exiting, released, read_value: readValue, readings }) => {
    return [id, { inside: value + exiting - released, readValue, readings: storedReadings(readings) }] as const
  })
  const tokens = new Map<string, TokenSum>()
  for (const { blockchain, token_address: tokenAddress, token_decimals: decimals, in_wallets, value } of rows) {
    const key = tokenKey({ blockchain, tokenAddress })
    tokens.set(key, { amount: (tokens.get(key)?.amount ?? in_wallets) + value, decimals })
  }
  return { organizationId, strategies: new Map(strategies), tokens, countedFrom }
}

/**
 * What the organization has in each strategy and is moving there now, in base units: the sums, and every reservation that
 * is held or was released since they count. Whatever ended between the sums and this read counts as deposited, so that a
 * deposit that failed meanwhile takes its room until the next sums. One statement; its cost does not grow with positions.
 */
export async function readInside(
  db: Database | Tx,
  { organizationId, strategies, countedFrom }: HeldSums,
): Promise<(strategyId: number) => bigint> {
  const { rows } = await sql<{ strategy_id: number; amount: bigint }>`
    select o.strategy_id, sum(r.amount) as amount
    from (
      select organization_id, operation_id, amount from reservations
      where organization_id = ${organizationId} and released_at is null
      union all
      select organization_id, operation_id, amount from reservations
      where organization_id = ${organizationId} and released_at >= ${countedFrom}
    ) r join operations o on o.organization_id = r.organization_id and o.id = r.operation_id
    group by o.strategy_id
  `.execute(db)
  const reserved = new Map(rows.map(({ strategy_id: id, amount }) => [id, amount]))
  return (strategyId) => (strategies.get(strategyId)?.inside ?? 0n) + (reserved.get(strategyId) ?? 0n)
}
