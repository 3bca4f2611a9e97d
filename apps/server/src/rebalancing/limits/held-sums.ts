import { sql } from 'kysely'
import type { Database, Tx } from '../../database/index.ts'
import { addMilliseconds, havePassed, LATE_COMPLETIONS_MS, SUMS_AGE_MAX_MS, toSumUnits } from '../../kernel/index.ts'
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
  /** Deposits that completed from then on are left out here: {@link readInside} adds them. */
  readonly completedFrom: Date
  /** How many open positions were added up. */
  readonly positions: number
}

/** Of the organization's positions in one strategy. Base units. */
interface StrategySums {
  /** Positions and exits, without the deposits that completed since `completedFrom`: may be negative. */
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
  positions: number
  value: bigint
  exiting: bigint
  completed: bigint
  read_value: bigint
  readings: StoredReadings | null
}

/** Holdings count where a strategy takes the token: without one, its decimals are not in the catalogue. One statement. */
export async function readHeldSums(db: Database | Tx, organizationId: number, now: Date): Promise<HeldSums> {
  const completedFrom = addMilliseconds(now, -LATE_COMPLETIONS_MS)
  const { rows } = await sql<SumsRow>`
    with held as (
      select w.blockchain, b.token_address, sum(b.available + b.reserved + b.exiting) as amount
      from ledger_balances b join wallets w on w.organization_id = b.organization_id and w.id = b.wallet_id
      where b.organization_id = ${organizationId}
      group by w.blockchain, b.token_address
    ), positions as (
      select strategy_id, count(*) as positions, sum(current_value) as current_value,
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
    ), completed as (
      select strategy_id, sum(amount) as amount from (${completedSupplies(organizationId, completedFrom)}) supply
      group by strategy_id
    )
    select s.id, s.blockchain, s.token_address, s.token_decimals, coalesce(h.amount, 0) as in_wallets,
      coalesce(p.positions, 0) as positions, coalesce(p.current_value, 0) as value,
      coalesce(w.amount, 0) as exiting, coalesce(c.amount, 0) as completed,
      coalesce(p.read_value, 0) as read_value, p.readings
    from strategies s
    left join held h on h.blockchain = s.blockchain and h.token_address = s.token_address
    left join positions p on p.strategy_id = s.id
    left join waiting w on w.strategy_id = s.id
    left join completed c on c.strategy_id = s.id
  `.execute(db)
  const strategies = rows.map(({ id, value, exiting, completed, read_value: readValue, readings }) => {
    return [id, { inside: value + exiting - completed, readValue, readings: storedReadings(readings) }] as const
  })
  const tokens = new Map<string, TokenSum>()
  for (const { blockchain, token_address: tokenAddress, token_decimals: decimals, in_wallets, value } of rows) {
    const key = tokenKey({ blockchain, tokenAddress })
    tokens.set(key, { amount: (tokens.get(key)?.amount ?? in_wallets) + value, decimals })
  }
  const positions = rows.reduce((sum, row) => sum + row.positions, 0)
  return { organizationId, strategies: new Map(strategies), tokens, completedFrom, positions }
}

/** SQL: an organization's deposits that completed from then on, late ones included, by their `strategy_id` and `amount`. */
const completedSupplies = (organizationId: number, from: Date) => sql`
  select strategy_id, coalesce(settled_amount, amount) as amount from operations
  where organization_id = ${organizationId} and state = 'COMPLETED' and type = 'SUPPLY' and completed_at >= ${from}`

/**
 * What the organization has in each strategy and is moving there now, in base units: the sums, every reservation, and the
 * deposits that completed since. One statement, whatever the positions.
 */
export async function readInside(
  db: Database | Tx,
  { organizationId, strategies, completedFrom }: HeldSums,
): Promise<(strategyId: number) => bigint> {
  const { rows } = await sql<{ strategy_id: number; amount: bigint }>`
    select strategy_id, sum(amount) as amount from (
      select o.strategy_id, r.amount
      from reservations r join operations o on o.organization_id = r.organization_id and o.id = r.operation_id
      where r.organization_id = ${organizationId} and r.released_at is null
      union all
      ${completedSupplies(organizationId, completedFrom)}
    ) moved group by strategy_id
  `.execute(db)
  const moved = new Map(rows.map(({ strategy_id: id, amount }) => [id, amount]))
  return (strategyId) => (strategies.get(strategyId)?.inside ?? 0n) + (moved.get(strategyId) ?? 0n)
}

/** Whether the sums are too old for a check: the process slept since, for example. */
export const areOutdated = ({ completedFrom }: HeldSums, now: Date): boolean =>
  havePassed(LATE_COMPLETIONS_MS + SUMS_AGE_MAX_MS, completedFrom, now)
