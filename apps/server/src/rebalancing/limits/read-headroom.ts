import { sql } from 'kysely'
import { type Database, preparedQuery, type Tx } from '../../database/index.ts'
import { EXIT_PROTOCOLS, payableTogether } from '../../venues/index.ts'
import type { RebalanceSettings } from '../settings.ts'
import { type DepositLimits, defaultLimits, isUnlimited } from './deposit-limits.ts'
import { exitHeadroom, type Headroom, limitHeadrooms, type StrategyUse } from './headroom.ts'
import { type HeldSums, readInside, wholeOf } from './held-sums.ts'

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
 * The headroom that the organization's limits leave in each strategy. `readSums` is called only where limits need it.
 * Reservations of unfinished deployments count as deposits.
 */
export async function readLimitHeadrooms(
  db: Database | Tx,
  defaults: Defaults,
  { organizationId, readSums }: { readonly organizationId: number; readSums(): Promise<HeldSums> },
): Promise<ReadonlyMap<number, Headroom>> {
  const { rows } = await sql<{ limits: DepositLimits | null; slow: number[] }>`
    select (select limits from deposit_limits where organization_id = ${organizationId}) as limits,
      array(select id from strategies where protocol = any(${EXIT_PROTOCOLS}::text[])) as slow
  `.execute(db)
  const limits = rows[0]?.limits ?? defaultLimits(defaults)
  const headrooms = new Map(isUnlimited(limits) ? [] : await readHeadrooms(db, limits, await readSums()))
  for (const strategyId of rows[0]?.slow ?? []) {
    const headroom = exitHeadroom(strategyId, limits)
    if (headroom) headrooms.set(strategyId, headroom)
  }
  return headrooms
}

interface StrategyRow {
  id: number
  venue_name: string
  protocol: string
  blockchain: string
  token_decimals: number
  tvl: bigint | null
  liquidity: bigint | null
  price: bigint | null
  peak: bigint | null
}

/** Two statements, whatever the organization holds. */
export async function readHeadrooms(
  db: Database | Tx,
  limits: DepositLimits,
  sums: HeldSums,
): Promise<ReadonlyMap<number, Headroom>> {
  return limitHeadrooms(limits, await readUses(db, sums), wholeOf(sums))
}

/** What the organization has in each strategy, with what limits compare it with. Two statements. */
export async function readUses(db: Database | Tx, sums: HeldSums): Promise<StrategyUse[]> {
  const insideOf = await readInside(db, sums)
  const { rows } = await sql<StrategyRow>`
    select s.id, v.name as venue_name, s.protocol, s.blockchain, s.token_decimals, s.tvl, s.liquidity, s.price,
      (select max(p.price) from strategy_prices p
        where p.strategy_id = s.id and p.read_at > s.price_at - interval '30 days') as peak
    from strategies s join venues v on v.id = s.venue_id
  `.execute(db)
  return rows.map((row) => {
    const held = sums.strategies.get(row.id)
    return {
      strategy: {
        id: row.id,
        venueName: row.venue_name,
        protocol: row.protocol,
        blockchain: row.blockchain,
        tokenDecimals: row.token_decimals,
        tvl: row.tvl,
        liquidity: row.liquidity,
      },
      inside: insideOf(row.id),
      price: row.price,
      peak: row.peak,
      readValue: held?.readValue ?? 0n,
      withdrawable: held ? payableTogether(held.readings, row).possible : 0n,
    }
  })
}
